// Every wrapper of soloist.hpp once; the exit status says whether all of them do what they say.
#include <soloist.hpp>

#include <cstdio>

static int faults;

static void expect(bool good, const char *what) {
    if (!good)
        std::printf("FAILED: %s\n", what), faults++;
}

// The error that a call throws; code SOLOIST_OK: none.
template <class Call> static solo::Error error_of(Call call) {
    try {
        call();
    } catch (const solo::Error &error) {
        return error;
    }
    return solo::Error(SOLOIST_OK, soloist_error{});
}

static const char level[] = "#####\n#@$.#\n#####\n";

static void test_solve(const solo::Engine &engine) {
    solo::Puzzle puzzle = engine.read(level);
    expect(puzzle.domain() == "sokoban", "the domain is recognised");
    solo::Result result = engine.solve(puzzle, "astar");
    expect(result.solved() && result.optimal() && result.value() == 1 && result.moves().size() == 1, "a solution");
    expect(result.solution() == "R", "the solution's text");
    expect(puzzle.check("R").pushes == 1, "the referee");
    puzzle.validate(1, 2, 5);
    solo::Result other = std::move(result);
    result = std::move(other);
    expect(result.solution() == "R", "a result can be moved");
    expect(!engine.solve(engine.read("#####\n#@$ #\n#  .#\n#####", "sokoban")).solved(), "a puzzle without solution");
}

static void test_errors(const solo::Engine &engine) {
    solo::Error error =
        error_of([&] { engine.read("1 2 3\n1 2 x", "pancake"), engine.read_all("1 2 3\n1 2 x", "pancake"); });
    expect(error.code() == SOLOIST_BAD_INPUT && error.line() == 2 && error.column() == 5,
           "an error in a file is located");
    expect(std::string(error.what()).rfind("line 2, column 5: ", 0) == 0, "the place is in the sentence");
    expect(error_of([&] { engine.read("?"); }).code() == SOLOIST_BAD_INPUT, "an unknown text");
    expect(error_of([&] { engine.read("1", "no-such"); }).code() == SOLOIST_MISUSE, "an unknown domain");
    expect(error_of([&] { engine.read("", "pancake"); }).code() == SOLOIST_BAD_INPUT, "an empty text");
    expect(error_of([&] { engine.read("1 2", "sokoban", "no=1"); }).code() != SOLOIST_OK, "an unknown option");
    solo::Puzzle puzzle = engine.read(level);
    expect(error_of([&] { engine.solve(puzzle, "no-such"); }).code() != SOLOIST_OK, "an unknown method");
    expect(error_of([&] { engine.solve(puzzle, "nrpa"); }).code() != SOLOIST_OK, "a method that needs a limit");
    expect(error_of([&] { puzzle.check("L"); }).column() == 1, "a wrong move is located");
    expect(error_of([&] { engine.network("sokoban", "no-such-file"); }).code() == SOLOIST_BAD_INPUT, "no network");
}

static void test_states(const solo::Engine &engine) {
    solo::State state = engine.read("3 1 2 4", "pancake").start(), first = state; // the puzzle lives on in its states
    std::vector<soloist_move> moves = state.moves();
    expect(!moves.empty() && !state.ended() && state == first, "the first state");
    expect(state.play(moves.back()) == 1 && state != first && state.key() != first.key(), "a move changes the state");
    expect(!first.move_text(moves.back()).empty(), "a move as text");
    expect(engine.read(state.text(), "pancake").start().text() == state.text(), "a state can be read again");
    expect(error_of([&] { state.play(99); }).code() == SOLOIST_MISUSE, "an illegal move");
    first = state;
    expect(first == state, "a state can be assigned");
}

static void test_options(const solo::Engine &engine) {
    solo::Options options;
    options.set("n", 7).set("gap", 3);
    expect(options.text() == "n=7,gap=3", "options as text");
    solo::Options numbers;
    numbers.set("a", 1e-9).set("b", 0.1).set("c", 0.1f).set("d", 1.0 / 3).set("e", 2.0).set("f", 'x').set("g", true);
    expect(numbers.text() == "a=1e-09,b=0.1,c=0.1,d=0.3333333333333333,e=2,f=x,g=true", "numbers keep their values");
    expect(engine.generate("pancake", "n=7", 5) == engine.generate("pancake", solo::Options().set("n", 7), 5),
           "generate");
    expect(engine.generate("pancake", "n=9", 5, 0) != engine.generate("pancake", "n=9", 5, 1), "another number");
    expect(error_of([&] { engine.generate("pancake", "no=1"); }).code() != SOLOIST_OK, "an unknown key");
    expect(engine.domains().size() >= 5 && engine.methods().size() > 10, "lists");
}

// The function throws: the solve ends, and the exception arrives.
static void test_exceptions(const solo::Engine &engine) {
    // No search ends on this one before it has reported its progress.
    solo::Puzzle puzzle = engine.read("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "tiles");
    bool arrived = false;
    try {
        engine.solve(puzzle, "idastar", {}, [](const soloist_progress &) { throw 42; });
    } catch (int number) {
        arrived = number == 42;
    }
    expect(arrived, "an exception of progress arrives");
    solo::StopToken token;
    solo::Limits limits;
    limits.stop = &token;
    token.cancel();
    solo::Result result = engine.solve(puzzle, "bfs", limits);
    expect(token.stopped() && result.stopped() == SOLOIST_STOP_CANCEL, "a stop token ends a solve");
}

int main() {
    solo::Engine engine;
    test_solve(engine);
    test_errors(engine);
    test_states(solo::Engine());
    test_options(engine);
    test_exceptions(engine);
    if (!faults)
        std::printf("all wrappers hold, version %s\n", solo::version().c_str());
    return faults != 0;
}
