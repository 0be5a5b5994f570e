/* The stack of a depth-first search, and the hash index of its states. The index has chains with the newest frame
 * first, so that a frame that is popped is always the first of its chain. */
#include "search/ida_star/ida_star_path.h"

#include <string.h>

enum { first_room = 32 };

static size_t frames_size(const struct ida_star_path *path, uint32_t room) { return room * path->frame_size; }

static uint32_t *place_of(const struct ida_star_path *path, uint64_t key) {
    return &path->places[key * 0x9e3779b97f4a7c15u >> 32 & (path->room - 1)];
}

static void link_frame(struct ida_star_path *path, uint32_t depth) {
    struct ida_star_frame *frame = ida_star_frame(path, depth);
    uint32_t *place = place_of(path, frame->key);
    frame->older = *place;
    *place = depth;
}

/* Grows the frames and the index, or neither of them if memory is full. */
static bool grow_frames(struct ida_star_path *path) {
    uint32_t room = path->room ? path->room * 2 : first_room;
    if (!room)
        return false;
    uint32_t *places = memory_take(path->memory, room * sizeof *places);
    if (!places)
        return false;
    unsigned char *frames =
        memory_resize(path->memory, path->frames, frames_size(path, path->room), frames_size(path, room));
    if (!frames) {
        memory_give(path->memory, places, room * sizeof *places);
        return false;
    }
    memory_give(path->memory, path->places, path->room * sizeof *places);
    memset(places, 0xff, room * sizeof *places);
    path->places = places;
    path->frames = frames;
    path->room = room;
    for (uint32_t depth = 0; depth < path->depth; depth++)
        link_frame(path, depth);
    return true;
}

bool ida_star_path_reserve(struct ida_star_path *path, uint32_t first) {
    uint64_t least = (uint64_t)first + (uint64_t)path->run->shape.most_moves;
    least += !least; /* `children` is never NULL, even if no state has a move */
    return (path->depth + 2 <= path->room || grow_frames(path)) &&
           (least <= path->children_room ||
            memory_grow(path->memory, &path->children, sizeof *path->children, &path->children_room, least));
}

bool ida_star_path_open(struct ida_star_path *path, struct search_run *run) {
    size_t packed = search_packed_size(run), offset = memory_round_up(sizeof(struct ida_star_frame) + packed);
    *path = (struct ida_star_path){.run = run,
                                   .memory = &run->budget->memory,
                                   .packed_size = packed,
                                   .state_offset = offset,
                                   .frame_size = offset + memory_round_up(run->shape.state_size)};
    return ida_star_path_reserve(path, 0);
}

void ida_star_path_close(struct ida_star_path *path) {
    memory_give(path->memory, path->frames, frames_size(path, path->room));
    memory_give(path->memory, path->places, path->room * sizeof *path->places);
    memory_give(path->memory, path->children, path->children_room * sizeof *path->children);
    *path = (struct ida_star_path){0};
}

void ida_star_path_clear(struct ida_star_path *path) {
    path->depth = 0;
    memset(path->places, 0xff, path->room * sizeof *path->places);
}

struct ida_star_frame *ida_star_path_make(struct ida_star_path *path, soloist_move move, uint64_t key) {
    const struct search_run *run = path->run;
    struct ida_star_frame *frame = ida_star_frame(path, path->depth);
    void *state = ida_star_state(path, frame);
    memcpy(state, ida_star_state(path, ida_star_top(path)), run->shape.state_size);
    run->domain->core->apply(run->instance, state, move, NULL);
    search_pack(run, state, ida_star_packed(frame));
    frame->key = key;
    frame->move = move;
    return frame;
}

struct ida_star_frame *ida_star_path_find(const struct ida_star_path *path, struct ida_star_frame *frame) {
    for (uint32_t depth = *place_of(path, frame->key); depth != IDA_STAR_NO_FRAME;) {
        struct ida_star_frame *other = ida_star_frame(path, depth);
        if (other->key == frame->key && !memcmp(ida_star_packed(other), ida_star_packed(frame), path->packed_size))
            return other;
        depth = other->older;
    }
    return NULL;
}

void ida_star_path_push(struct ida_star_path *path) { link_frame(path, path->depth++); }

void ida_star_path_pop(struct ida_star_path *path) {
    const struct ida_star_frame *top = ida_star_top(path);
    *place_of(path, top->key) = top->older;
    path->depth--;
}

void ida_star_path_paint(const struct ida_star_path *path, struct search_picture *picture) {
    picture_kind(picture, SOLOIST_PICTURE_DIVES);
    picture_begin_line(picture, NULL, 0);
    for (uint32_t depth = 0; depth < path->depth; depth++) {
        const struct ida_star_frame *frame = ida_star_frame(path, depth);
        if (depth)
            picture_add_move(picture, frame->move);
        picture_count(picture, SOLOIST_AXIS_DEPTH, 0, (int64_t)depth + 1, frame->end - frame->next);
    }
    picture_depth(picture, (int64_t)picture->move_count);
    picture_line(picture, path->run, picture->moves, picture->move_count);
}
