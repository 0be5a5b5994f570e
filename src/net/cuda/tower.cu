/* The tower's kernel. A layer is the product of two matrices, [cells of the positions] x [window x channels] and
 * [window x channels] x [64], computed by tensor cores in pieces of 16 x 8. Each row of the first matrix has its own
 * address in the frame, so a cell of the window is only an offset to it. The sums of a whole layer stay in registers
 * until all are complete; therefore one frame is enough for input and output. The sixteen-byte pieces of a row are
 * permuted by the row's number, to avoid bank conflicts between eight rows. */
#include "net/cuda/tower.h"

#include <cuda_bf16.h>

enum { STAGES = 6, ROW = TOWER_CHANNELS * 2, CHUNK = TOWER_CHUNK * 2, PIECES = 8 };
enum { PLAIN, ELU, RELU };

/* Rows of the largest product: the cells of all positions of a block. */
static size_t most_rows(const struct tower *tower) {
    size_t most = (size_t)tower->height * tower->width;
    for (int i = 0; i < tower->count; i++) {
        size_t rows = (size_t)tower->layers[i].height * tower->layers[i].width;
        most = rows > most ? rows : most;
    }
    return (most * tower->boards + 15) / 16 * 16;
}

/* Bytes of shared memory: the frames, a spare row for unwanted results, the weights, and the address of each row. */
static size_t room_of(const struct tower *tower) {
    return ((size_t)tower->boards * tower->side * tower->side + 1) * ROW + STAGES * CHUNK +
           most_rows(tower) * sizeof(unsigned short);
}

/* ---- GPU instructions ---- */

__device__ static unsigned shared_address(const void *pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

__device__ static void load_four(unsigned (&to)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}

__device__ static void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ static void fetch_piece(unsigned to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}
__device__ static void fetch_close() { asm volatile("cp.async.commit_group;"); }
template <int LEFT> __device__ static void fetch_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(LEFT)); }

__device__ static float two_to(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* The next two functions have no branches, because the threads of a warp would execute both branches one after the
 * other. */
template <int ACTIVATION> __device__ static float activated(float x) {
    if constexpr (ACTIVATION == ELU)
        return fmaxf(x, 0) + (two_to(1.44269504f * fminf(x, 0)) - 1);
    return ACTIVATION == RELU ? fmaxf(x, 0) : x;
}

/* The derivative of the activation, computed from its output. */
template <int ACTIVATION> __device__ static float slope(float given) {
    if constexpr (ACTIVATION == ELU)
        return fminf(given, 0) + 1;
    return ACTIVATION == RELU ? (given > 0 ? 1.0f : 0.0f) : 1.0f;
}

template <int ACTIVATION> __device__ static float2 times_slope(float2 x, __nv_bfloat162 given) {
    float2 y = __bfloat1622float2(given);
    return make_float2(x.x * slope<ACTIVATION>(y.x), x.y * slope<ACTIVATION>(y.y));
}

/* ---- weights, streamed through shared memory ---- */

struct stream {
    const char *weights;
    unsigned ring;
    /* fetched: number of the next chunk to fetch; left: chunks still to come; slot: where the next chunk is put. */
    int chunks, fetched, left, slot;
};

template <int THREADS> __device__ static void fetch_next(struct stream &s) {
    if (s.left > 0) {
        const char *from = s.weights + (size_t)s.fetched * CHUNK;
        unsigned to = s.ring + s.slot * CHUNK;
#pragma unroll
        for (int i = 0; i < CHUNK; i += THREADS * 16)
            fetch_piece(to + i + threadIdx.x * 16, from + i + threadIdx.x * 16);
        s.left--;
        s.fetched = s.fetched + 1 == s.chunks ? 0 : s.fetched + 1;
        s.slot = s.slot + 1 == STAGES ? 0 : s.slot + 1;
    }
    fetch_close();
}

/* ---- one window place of a layer ---- */

/* Rows begin at multiples of 128 bytes, so that the pieces of a row differ only in some address bits: an address is
 * advanced by 2k pieces by an exclusive or with k << 5. */
__device__ static unsigned piece_address(unsigned base, int row, int piece) {
    return base + row * ROW + ((piece ^ (row & 7)) << 4);
}

__device__ static void load_weights(unsigned (&b)[PIECES / 2][4], unsigned at) {
#pragma unroll
    for (int n = 0; n < PIECES / 2; n++)
        load_four(b[n], at + n * 16 * ROW);
}

/* Rows and weights are loaded one product in advance, because a load takes as long as the eight products of a tile. */
template <int MOST, int TILES, int DEPTH>
__device__ static void add_place(float (&sums)[MOST][PIECES][4], unsigned frame, const int (&rows)[MOST], int offset,
                                 unsigned chunk) {
    int lane = threadIdx.x & 31;
    unsigned a[2][4], b[2][PIECES / 2][4], at[TILES];
    unsigned weights = piece_address(chunk, (lane & 7) + (lane >> 4) * 8, lane >> 3 & 1);
#pragma unroll
    for (int t = 0; t < TILES; t++)
        at[t] = piece_address(frame, rows[t] + offset, lane >> 4);
    load_four(a[0], at[0]);
    load_weights(b[0], weights);
#pragma unroll
    for (int k = 0; k < DEPTH; k++)
#pragma unroll
        for (int t = 0; t < TILES; t++) {
            int now = k * TILES + t, next_k = t + 1 < TILES ? k : k + 1, next_t = t + 1 < TILES ? t + 1 : 0;
            if (next_k < DEPTH)
                load_four(a[(now + 1) % 2], at[next_t] ^ next_k << 5);
            if (!t && k + 1 < DEPTH)
                load_weights(b[(k + 1) % 2], weights ^ (k + 1) << 5);
#pragma unroll
            for (int n = 0; n < PIECES; n++)
                multiply(sums[t][n], a[now % 2], b[k % 2][n / 2][n % 2 * 2], b[k % 2][n / 2][n % 2 * 2 + 1]);
        }
}

/* Recursion over the number of tiles: the number of this warp's tiles is known only at run time, but registers are
 * assigned at compile time. */
template <int MOST, int TILES>
__device__ static void add_place_of(float (&sums)[MOST][PIECES][4], unsigned frame, const int (&rows)[MOST], int tiles,
                                    int offset, unsigned chunk, int depth) {
    if constexpr (TILES > 0) {
        if (tiles < TILES)
            add_place_of<MOST, TILES - 1>(sums, frame, rows, tiles, offset, chunk, depth);
        else if (depth == 1)
            add_place<MOST, TILES, 1>(sums, frame, rows, offset, chunk);
        else
            add_place<MOST, TILES, TOWER_CHANNELS / 16>(sums, frame, rows, offset, chunk);
    }
}

/* ---- a layer's values back into the frame ---- */

struct finish {
    const float *bias;
    const bfloat *given; /* the values at which the derivative is computed, for this block's positions */
    const bfloat *skip;  /* values that are added before that, or NULL */
};

/* With BACK the sums are multiplied by the derivative of the activation at `given`; otherwise bias and activation are
 * applied. Rows beyond the last are written to the spare row. */
template <int WARPS, int MOST, int ACTIVATION, bool BACK>
__device__ static void write_back(const float (&sums)[MOST][PIECES][4], unsigned frame, const unsigned short *places,
                                  int rows, int start, int spare, const struct finish &f) {
    int lane = threadIdx.x & 31, first = threadIdx.x / 32 * 16 + lane / 4, column = lane % 4 * 2;
    unsigned to[MOST * 2];
#pragma unroll
    for (int i = 0; i < MOST * 2; i++) {
        int row = first + i / 2 * WARPS * 16 + i % 2 * 8;
        to[i] = piece_address(frame, row < rows ? places[row] + start : spare, 0) + column * 2;
    }
#pragma unroll
    for (int n = 0; n < PIECES; n++) {
        float2 b = BACK ? make_float2(0, 0) : __ldg((const float2 *)(f.bias + n * 8 + column));
        __nv_bfloat162 given[MOST * 2];
#pragma unroll
        for (int i = 0; BACK && i < MOST * 2; i++) {
            int row = min(first + i / 2 * WARPS * 16 + i % 2 * 8, rows - 1);
            given[i] = *(const __nv_bfloat162 *)(f.given + row * TOWER_CHANNELS + n * 8 + column);
        }
#pragma unroll
        for (int i = 0; i < MOST * 2; i++) {
            float2 x = make_float2(sums[i / 2][n][i % 2 * 2], sums[i / 2][n][i % 2 * 2 + 1]);
            if (f.skip) {
                int row = min(first + i / 2 * WARPS * 16 + i % 2 * 8, rows - 1);
                float2 more = __bfloat1622float2(
                    *(const __nv_bfloat162 *)(f.skip + row * TOWER_CHANNELS + n * 8 + column));
                x = make_float2(x.x + more.x, x.y + more.y);
            }
            x = BACK ? times_slope<ACTIVATION>(x, given[i])
                     : make_float2(activated<ACTIVATION>(x.x + b.x), activated<ACTIVATION>(x.y + b.y));
            __nv_bfloat162 pair = __float22bfloat162_rn(x);
            asm volatile("st.shared.b32 [%0], %1;" ::"r"(to[i] ^ n << 4), "r"(*(unsigned *)&pair) : "memory");
        }
    }
}

template <int WARPS, int MOST, bool BACK>
__device__ static void write_back_by(int activation, const float (&sums)[MOST][PIECES][4], unsigned frame,
                                     const unsigned short *places, int rows, int start, int spare,
                                     const struct finish &f) {
    if (activation == ELU)
        write_back<WARPS, MOST, ELU, BACK>(sums, frame, places, rows, start, spare, f);
    else if (activation == RELU)
        write_back<WARPS, MOST, RELU, BACK>(sums, frame, places, rows, start, spare, f);
    else
        write_back<WARPS, MOST, PLAIN, BACK>(sums, frame, places, rows, start, spare, f);
}

template <int THREADS> __device__ static void clear_frame(char *frame, int bytes) {
    for (int i = threadIdx.x * 16; i < bytes; i += THREADS * 16)
        *(uint4 *)(frame + i) = make_uint4(0, 0, 0, 0);
}

/* ---- inputs and outputs ---- */

template <int THREADS>
__device__ static void take_planes(const struct tower &t, const float *planes, char *frame, int position, int boards) {
    int board = t.height * t.width, all = t.channels * board;
    const float *from = planes + (size_t)position * all;
    for (int i = threadIdx.x; i < all * boards; i += THREADS) {
        int number = i / all, channel = i / board - number * t.channels, cell = i % board;
        int y = cell / t.width, x = cell - y * t.width;
        int place = (number * t.side + y + t.from) * t.side + x + t.from;
        *(__nv_bfloat16 *)(frame + place * ROW + ((channel / 8 ^ (place & 7)) << 4) + channel % 8 * 2) =
            __float2bfloat16(from[i]);
    }
}

template <int THREADS, int ACTIVATION>
__device__ static void take_values(const struct tower &t, const struct tower_run &run, char *frame, int position,
                                   int boards) {
    int board = t.height * t.width, all = board * (TOWER_CHANNELS / 2);
    __nv_bfloat162 *values = (__nv_bfloat162 *)run.values + (size_t)position * all;
    const __nv_bfloat162 *given = (const __nv_bfloat162 *)run.values_given + (size_t)position * all;
    for (int i = threadIdx.x; i < all * boards; i += THREADS) {
        int row = i / (TOWER_CHANNELS / 2), pair = i % (TOWER_CHANNELS / 2), number = row / board;
        int y = row % board / t.width, x = row % board % t.width;
        int place = (number * t.side + y + t.from) * t.side + x + t.from;
        __nv_bfloat162 v = __float22bfloat162_rn(times_slope<ACTIVATION>(__bfloat1622float2(values[i]), given[i]));
        values[i] = v;
        *(__nv_bfloat162 *)(frame + place * ROW + ((pair / 4 ^ (place & 7)) << 4) + pair % 4 * 4) = v;
    }
}

template <int THREADS>
__device__ static void give_values(const char *frame, const unsigned short *places, int rows, int start, bfloat *to) {
    for (int i = threadIdx.x; i < rows * PIECES; i += THREADS) {
        int row = i / PIECES, piece = i % PIECES, place = places[row] + start;
        *(uint4 *)(to + (size_t)i * 8) = *(const uint4 *)(frame + place * ROW + ((piece ^ (place & 7)) << 4));
    }
}

/* Finds the address in the frame where each row's window begins. */
template <int THREADS>
__device__ static void number_places(const struct tower &t, const struct tower_layer &layer, int rows,
                                     unsigned short *places) {
    for (int row = threadIdx.x; row < (rows + 15) / 16 * 16; row += THREADS) {
        int board = layer.height * layer.width, number = row / board;
        int y = row % board / layer.width, x = row % board % layer.width;
        places[row] = row < rows ? (number * t.side + y) * t.side + x : 0;
    }
}

/* ---- the kernel: a few positions per block at a time ---- */

template <int WARPS, int MOST, bool BACK>
__global__ void __launch_bounds__(WARPS * 32, 8 / WARPS)
    run_tower(const __grid_constant__ struct tower t, const __grid_constant__ struct tower_run run, int count) {
    enum { THREADS = WARPS * 32 };
    extern __shared__ __align__(128) char frame[];
    int spare = t.boards * t.side * t.side, frame_size = spare * ROW, warp = threadIdx.x / 32, start = t.at * t.side + t.at;
    char *ring = frame + frame_size + ROW;
    unsigned short *places = (unsigned short *)(ring + STAGES * CHUNK);
    int groups = (count + t.boards - 1) / t.boards, slot = 0;
    int turns = (groups - (int)blockIdx.x + (int)gridDim.x - 1) / (int)gridDim.x;
    /* Step 1: start fetching the first chunks of weights before anything else. */
    struct stream stream = {(const char *)run.weights, shared_address(ring), t.chunks, 0, turns * t.chunks, 0};
    for (int i = 0; i < STAGES - 1; i++)
        fetch_next<THREADS>(stream);
    for (int group = blockIdx.x; group < groups; group += gridDim.x) {
        int position = group * t.boards, boards = min(t.boards, count - position);
        /* Step 2: load the positions' planes, or in the backward pass the gradient of their values, into the frames. */
        clear_frame<THREADS>(frame, frame_size);
        __syncthreads();
        if (!BACK)
            take_planes<THREADS>(t, run.planes, frame, position, boards);
        else if (run.values_activation == ELU)
            take_values<THREADS, ELU>(t, run, frame, position, boards);
        else if (run.values_activation == RELU)
            take_values<THREADS, RELU>(t, run, frame, position, boards);
        else
            take_values<THREADS, PLAIN>(t, run, frame, position, boards);
        for (int l = 0; l < t.count; l++) {
            const struct tower_layer &layer = t.layers[l];
            int board = layer.height * layer.width, rows = board * boards;
            /* Step 3: find where the window of each row of the product begins, if this layer's size differs. */
            if (!l || layer.numbers) {
                __syncthreads(); /* the previous layer no longer needs the addresses of its rows */
                number_places<THREADS>(t, layer, rows, places);
                __syncthreads();
            }
            /* Step 4: clear the sums of this warp's tiles. */
            int tiles = (rows + 15) / 16 - warp, at[MOST];
            tiles = tiles > 0 ? (tiles + WARPS - 1) / WARPS : 0;
            float sums[MOST][PIECES][4];
#pragma unroll
            for (int i = 0; i < MOST; i++) {
                at[i] = i < tiles ? places[(warp + i * WARPS) * 16 + (threadIdx.x & 15)] : 0;
#pragma unroll
                for (int n = 0; n < PIECES; n++)
                    sums[i][n][0] = sums[i][n][1] = sums[i][n][2] = sums[i][n][3] = 0;
            }
            /* Step 5: one product per cell of the window; its weights are fetched while the previous product is
             * computed. */
            for (int y = 0; y < layer.window; y++)
                for (int x = 0; x < layer.window; x++) {
                    fetch_wait<STAGES - 2>();
                    __syncthreads(); /* this chunk has arrived, and no thread needs the previous chunk any more */
                    fetch_next<THREADS>(stream);
                    add_place_of<MOST, MOST>(sums, shared_address(frame), at, tiles,
                                             (y + layer.shift) * t.side + x + layer.shift,
                                             shared_address(ring) + slot * CHUNK, layer.depth);
                    slot = slot + 1 == STAGES ? 0 : slot + 1;
                }
            /* Step 6: apply bias and activation (or its derivative), and write the results back into the frame. */
            __syncthreads();
            if (layer.clears) {
                clear_frame<THREADS>(frame, frame_size);
                __syncthreads();
            }
            size_t before = (size_t)position * board * TOWER_CHANNELS;
            struct finish f = {BACK ? NULL : run.bias + l * TOWER_CHANNELS, BACK ? run.given[l] + before : NULL,
                               run.skip[l] ? run.skip[l] + before : NULL};
            write_back_by<WARPS, MOST, BACK>(layer.activation, sums, shared_address(frame), places, rows, start, spare,
                                             f);
            /* Step 7: write the values that another layer or the backward pass needs to global memory. */
            if (run.to[l]) {
                __syncthreads();
                give_values<THREADS>(frame, places, rows, start, run.to[l] + before);
            }
        }
        __syncthreads();
    }
}

/* ---- host side ---- */

/* If there are many positions, two blocks of four warps share each multiprocessor: while one writes values back, the
 * other multiplies. If there are few, all eight warps work on one position. */
enum { MANY_WARPS = 4, MANY_TILES = 5, FEW_WARPS = 8, FEW_TILES = 3 };

static bool prepare(const void *kernel, size_t room) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room) == cudaSuccess;
}

/* Chooses how many positions a block may have: as many as the registers have room for, if two blocks still share a
 * multiprocessor. */
static void choose_boards(struct tower *tower) {
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    for (tower->boards = 1;; tower->boards++) {
        struct tower next = *tower;
        next.boards++;
        if (most_rows(&next) > MANY_WARPS * MANY_TILES * 16 || 2 * (room_of(&next) + 1024) > (size_t)most)
            return;
    }
}

extern "C" int tower_prepare(struct tower *tower) {
    int most = 0;
    tower->boards = 1;
    size_t rows = most_rows(tower), room = room_of(tower);
    if (cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) != cudaSuccess ||
        rows > MANY_WARPS * MANY_TILES * 16 || rows > FEW_WARPS * FEW_TILES * 16 || room > (size_t)most)
        return 0;
    choose_boards(tower);
    return prepare((const void *)run_tower<MANY_WARPS, MANY_TILES, false>, (size_t)most) &&
           prepare((const void *)run_tower<MANY_WARPS, MANY_TILES, true>, (size_t)most) &&
           prepare((const void *)run_tower<FEW_WARPS, FEW_TILES, false>, (size_t)most) &&
           prepare((const void *)run_tower<FEW_WARPS, FEW_TILES, true>, (size_t)most);
}

/* The number of positions per block with which `count` positions take the least time. A block's time grows with the
 * tiles of its busiest warp; loading the weights costs about as much as two tiles. */
static int best_boards(const struct tower *tower, int count, int processors) {
    int best = 1;
    long least = 0;
    for (int boards = 1; boards <= tower->boards; boards++) {
        struct tower trial = *tower;
        trial.boards = boards;
        long groups = (count + boards - 1) / boards, rounds = (groups + 2 * processors - 1) / (2 * processors);
        long tiles = ((long)most_rows(&trial) / 16 + MANY_WARPS - 1) / MANY_WARPS, time = rounds * (tiles + 2);
        if (boards == 1 || time < least) {
            least = time;
            best = boards;
        }
    }
    return best;
}

template <bool BACK>
static void launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream) {
    struct tower t = *tower;
    int processors = 1;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    t.boards = count <= processors ? 1 : best_boards(tower, count, processors);
    int groups = (count + t.boards - 1) / t.boards;
    if (count <= processors)
        run_tower<FEW_WARPS, FEW_TILES, BACK><<<groups, FEW_WARPS * 32, room_of(&t), stream>>>(t, *run, count);
    else
        run_tower<MANY_WARPS, MANY_TILES, BACK>
            <<<min(groups, 2 * processors), MANY_WARPS * 32, room_of(&t), stream>>>(t, *run, count);
}

extern "C" void tower_launch(const struct tower *tower, const struct tower_run *run, int count, cudaStream_t stream) {
    if (tower->channels)
        launch<false>(tower, run, count, stream);
    else
        launch<true>(tower, run, count, stream);
}

enum { CAST_THREADS = 256 };

/* Writes one number of a chunk: [64][64], with pieces permuted as the kernel reads them. */
__device__ static void cast_number(const float *weights, bfloat *chunks, int i, int channels, int places, bool turned) {
    int depth = i % TOWER_CHANNELS, row = i / TOWER_CHANNELS % TOWER_CHANNELS, place = i / TOWER_CHUNK;
    int out = turned ? depth : row, channel = turned ? row : depth, from = turned ? places - 1 - place : place;
    float x = channel < channels ? weights[(out * channels + channel) * places + from] : 0;
    chunks[place * TOWER_CHUNK + row * TOWER_CHANNELS + ((depth / 8 ^ (row & 7)) * 8) + depth % 8] =
        __bfloat16_as_ushort(__float2bfloat16(x));
}

__global__ static void cast_tower(const __grid_constant__ struct tower_parameters p) {
    int i = blockIdx.x * CAST_THREADS + threadIdx.x, l = blockIdx.y;
    const float *weights = p.parameters + p.layers[l].weight;
    int channels = p.layers[l].channels, places = p.layers[l].places;
    if (i < TOWER_CHANNELS)
        p.bias[l * TOWER_CHANNELS + i] = p.parameters[p.layers[l].bias + i];
    if (i >= places * TOWER_CHUNK)
        return;
    cast_number(weights, p.chunks + (size_t)p.layers[l].chunk * TOWER_CHUNK, i, channels, places, false);
    if (p.layers[l].turned >= 0)
        cast_number(weights, p.turned_chunks + (size_t)p.layers[l].turned * TOWER_CHUNK, i, channels, places, true);
}

extern "C" void tower_cast(const struct tower_parameters *parameters, cudaStream_t stream) {
    dim3 grid(9 * TOWER_CHUNK / CAST_THREADS, parameters->count); /* windows have at most nine places */
    cast_tower<<<grid, CAST_THREADS, 0, stream>>>(*parameters);
}
