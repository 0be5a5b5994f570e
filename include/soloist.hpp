/// @file
/// Soloist for C++17: thin wrappers around soloist.h that free what they own and report errors by throwing solo::Error.
///
/// The main classes hold one object of the C library each, and add no state of their own. Engine, Puzzle and Network
/// may be copied; all copies share one object of the C library, which lives as long as at least one copy exists. No
/// exception passes through C code. If a function that you passed to the engine throws an exception, the solve ends,
/// and the call that began the solve throws the same exception.
///
/// @code
/// solo::Engine engine;
/// solo::Puzzle puzzle = engine.read("3 1 2 4", "pancake");
/// solo::Result result = engine.solve(puzzle);
/// std::cout << result.solution().value_or("none") << "\n";
/// @endcode
#ifndef SOLOIST_HPP
#define SOLOIST_HPP

#include "soloist.h"

#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <locale>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The namespace of the classes. It is called `solo`, because `soloist` is already the name of the engine's type in the
/// C library.
namespace solo {

/// The exception that a failed call of the library throws.
class Error : public std::runtime_error {
  public:
    /// Makes an exception from the code and the error that the C library returned.
    Error(soloist_code code, const soloist_error &error)
        : std::runtime_error(describe(code, error)), code_(code), line_(error.line), column_(error.column) {}

    /// The code of the C library that says what kind of failure this is.
    soloist_code code() const noexcept { return code_; }
    /// The line of the text in which the error is, counted from 1; 0: unknown.
    int line() const noexcept { return line_; }
    /// The column of the text in which the error is, counted from 1; 0: unknown. In a solution's text, it is the place
    /// of the faulty move.
    int column() const noexcept { return column_; }

  private:
    static std::string describe(soloist_code code, const soloist_error &error) {
        std::string place;
        if (error.line > 0)
            place = "line " + std::to_string(error.line);
        if (error.column > 0)
            place += (place.empty() ? "column " : ", column ") + std::to_string(error.column);
        const char *text = error.text[0] ? error.text : code == SOLOIST_NO_MEMORY ? "out of memory" : "the call failed";
        return place.empty() ? text : place + ": " + text;
    }

    soloist_code code_;
    int line_, column_;
};

/// Options of a domain, a method or a generator, as a text "key=value,...".
class Options {
  public:
    Options() = default;
    /// Takes a text that already has the form "key=value,...".
    Options(std::string text) : text_(std::move(text)) {}
    /// Takes a text that already has the form "key=value,..."; nullptr means no options.
    Options(const char *text) : text_(text ? text : "") {}
    /// Adds an option, whose value may be a text, a character, a number or a bool. A floating-point number is written
    /// with a dot in every locale, and with as many digits as its value needs.
    template <class Value> Options &set(std::string_view key, const Value &value) {
        text_ += text_.empty() ? "" : ",";
        text_.append(key).append("=");
        if constexpr (std::is_same_v<Value, bool>)
            text_ += value ? "true" : "false";
        else if constexpr (std::is_floating_point_v<Value>)
            text_ += decimal(value);
        else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, char>)
            text_ += std::to_string(value);
        else
            text_ += value;
        return *this;
    }
    /// The options as one text.
    const std::string &text() const noexcept { return text_; }

  private:
    // std::to_string would write six places after the point, and the point of the locale.
    template <class Value> static std::string decimal(Value value) {
        for (int digits = std::numeric_limits<Value>::digits10;; digits++) {
            std::ostringstream out;
            out.imbue(std::locale::classic());
            out.precision(digits);
            out << value;
            std::istringstream in(out.str());
            in.imbue(std::locale::classic());
            Value read{};
            if (digits >= std::numeric_limits<Value>::max_digits10 || (in >> read && read == value))
                return out.str();
        }
    }
    std::string text_;
};

/// A stop token: the solve to which it is passed ends when another thread stops the token or the token's deadline
/// passes.
class StopToken {
  public:
    /// Makes a token that is not stopped. Throws Error if memory runs out.
    StopToken() : token_(soloist_stop_token_new()) {
        if (!token_)
            throw Error(SOLOIST_NO_MEMORY, soloist_error{});
    }
    /// Stops the token. May be called by any thread and by a signal handler.
    void cancel() noexcept { soloist_stop_token_cancel(token_.get()); }
    /// Sets a deadline: the token is stopped `seconds` seconds from now. If `seconds` is 0, there is no deadline.
    void deadline(double seconds) noexcept { soloist_stop_token_deadline(token_.get(), seconds); }
    /// Whether the token is stopped.
    bool stopped() const noexcept { return soloist_stopped(token_.get()); }
    /// The underlying object of the C library.
    soloist_stop_token *get() const noexcept { return token_.get(); }

  private:
    struct Free {
        void operator()(soloist_stop_token *token) const noexcept { soloist_stop_token_free(token); }
    };
    std::unique_ptr<soloist_stop_token, Free> token_;
};

/// Functions that several classes use.
namespace detail {
/// Appends a text to a std::string. C code calls this function, so it must not throw an exception. If memory runs out,
/// the text is not appended.
inline void append(void *to, const char *text, std::size_t n) noexcept {
    try {
        static_cast<std::string *>(to)->append(text, n);
    } catch (...) {
    }
}
} // namespace detail

class Engine;
class Network;
class State;

/// The limits of one solve; 0 means no limit.
struct Limits {
    double time_s = 0;                ///< maximum wall time in seconds
    std::uint64_t nodes = 0;          ///< maximum number of states generated
    std::uint64_t iterations = 0;     ///< maximum number of iterations of a sampling method
    std::size_t memory = 0;           ///< maximum number of bytes of memory
    int threads = 0;                  ///< the number of threads that search; 0 means 1
    std::uint64_t seed = 0;           ///< the seed of the random numbers
    StopToken *stop = nullptr;        ///< the solve ends soon after this token is stopped; borrowed
    const Network *network = nullptr; ///< the network for methods that use one; borrowed
};

/// One puzzle that was read. Copies of a Puzzle share the same puzzle, which keeps its engine alive.
class Puzzle {
  public:
    /// The name of the domain.
    std::string domain() const { return puzzle_->c.domain->name; }
    /// The title that the file gives to the puzzle, or "".
    std::string name() const { return puzzle_->c.chunk.name; }
    /// The text that was read.
    std::string text() const { return puzzle_->c.text; }
    /// The first position.
    State start() const;
    /// Replays a solution by the rules. Throws Error if the text is not a solution; the error's column is the place of
    /// the fault in the text.
    soloist_verdict check(std::string_view solution) const {
        soloist_verdict verdict{};
        soloist_error error{};
        if (!soloist_check(&puzzle_->c, solution.data(), solution.size(), &verdict, &error))
            throw Error(SOLOIST_BAD_INPUT, error);
        return verdict;
    }
    /// Checks by random play whether the domain's functions obey the domain contract of soloist.h. If they break the
    /// contract, throws an Error that describes the first fault.
    void validate(std::uint64_t seed = 1, int walks = 20, int steps = 200) const {
        soloist_error error{};
        if (!soloist_validate(&puzzle_->c, seed, walks, steps, &error))
            throw Error(SOLOIST_INTERNAL, error);
    }
    /// The underlying object of the C library.
    const soloist_puzzle *get() const noexcept { return &puzzle_->c; }

  private:
    friend class Engine;
    struct Owned {
        std::shared_ptr<soloist> engine; // outlives the puzzle
        soloist_puzzle c{};
        bool whole = false;
        ~Owned() {
            if (whole)
                soloist_puzzle_free(&c);
        }
    };
    explicit Puzzle(std::shared_ptr<Owned> puzzle) : puzzle_(std::move(puzzle)) {}
    std::shared_ptr<Owned> puzzle_;
};

/// A position of a puzzle. A State keeps its puzzle alive.
class State {
  public:
    /// Returns all legal moves, in a fixed order.
    std::vector<soloist_move> moves() const {
        std::vector<soloist_move> list(static_cast<std::size_t>(shape_.most_moves));
        list.resize(static_cast<std::size_t>(core().moves(instance(), bytes_.get(), list.data())));
        return list;
    }
    /// Plays a move and returns its cost, or the score that it gains. Throws Error if the move is not legal.
    std::int32_t play(soloist_move move) {
        for (soloist_move legal : moves())
            if (legal == move)
                return core().apply(instance(), bytes_.get(), move, nullptr);
        soloist_error error{};
        std::strcpy(error.text, "the move is not legal here");
        throw Error(SOLOIST_MISUSE, error);
    }
    /// True at a goal, or at the end of play.
    bool ended() const {
        std::int32_t last;
        return core().ended(instance(), bytes_.get(), &last);
    }
    /// A hash of the position: equal positions have equal keys.
    std::uint64_t key() const { return core().key(instance(), bytes_.get()); }
    /// The position in the domain's file format.
    std::string text() const {
        std::string out;
        soloist_sink sink{detail::append, &out};
        puzzle_.get()->domain->text->print(instance(), bytes_.get(), &sink);
        return out;
    }
    /// Returns a move that is legal in this position, as text for a person to read.
    std::string move_text(soloist_move move) const {
        std::string out;
        soloist_sink sink{detail::append, &out};
        puzzle_.get()->domain->text->move(instance(), bytes_.get(), move, &sink);
        return out;
    }
    /// Makes a copy of another position.
    State(const State &other) : puzzle_(other.puzzle_), shape_(other.shape_), bytes_(room(shape_)) {
        std::memcpy(bytes_.get(), other.bytes_.get(), shape_.state_size);
    }
    /// Makes this position a copy of the other one.
    State &operator=(const State &other) {
        State copy(other);
        std::swap(puzzle_, copy.puzzle_);
        std::swap(shape_, copy.shape_);
        std::swap(bytes_, copy.bytes_);
        return *this;
    }
    /// Compares two positions of the same puzzle, byte by byte.
    friend bool operator==(const State &a, const State &b) {
        return a.puzzle_.get() == b.puzzle_.get() &&
               std::memcmp(a.bytes_.get(), b.bytes_.get(), a.shape_.state_size) == 0;
    }
    /// The opposite of ==.
    friend bool operator!=(const State &a, const State &b) { return !(a == b); }

  private:
    friend class Puzzle;
    explicit State(const Puzzle &puzzle) : puzzle_(puzzle) {
        puzzle_.get()->domain->life->shape(instance(), &shape_);
        bytes_ = room(shape_);
        puzzle_.get()->domain->life->root(instance(), bytes_.get());
    }
    // An array of eight-byte numbers has the alignment that the state of any domain needs.
    static std::unique_ptr<std::uint64_t[]> room(const soloist_shape &shape) {
        return std::make_unique<std::uint64_t[]>(shape.state_size / 8 + 1);
    }
    const soloist_instance *instance() const noexcept { return puzzle_.get()->instance; }
    const soloist_core &core() const noexcept { return *puzzle_.get()->domain->core; }

    Puzzle puzzle_;
    soloist_shape shape_{};
    std::unique_ptr<std::uint64_t[]> bytes_;
};

inline State Puzzle::start() const { return State(*this); }

/// The result of one solve.
class Result {
  public:
    /// Whether the puzzle is solved, unsolved or impossible.
    soloist_status status() const noexcept { return c_.status; }
    /// Whether a solution was found.
    bool solved() const noexcept { return c_.status == SOLOIST_SOLVED; }
    /// Why the search ended.
    soloist_stop stopped() const noexcept { return c_.stopped; }
    /// The solution in the domain's notation, replayed by the referee; std::nullopt if there is none.
    std::optional<std::string> solution() const {
        return c_.solution ? std::optional<std::string>(c_.solution) : std::nullopt;
    }
    /// The solution's moves.
    std::vector<soloist_move> moves() const {
        return c_.moves ? std::vector<soloist_move>(c_.moves, c_.moves + c_.move_count) : std::vector<soloist_move>();
    }
    /// The cost or the score of the solution.
    std::int32_t value() const noexcept { return c_.verdict.value; }
    /// Whether it is proved that no solution is better.
    bool optimal() const noexcept { return c_.optimal; }
    /// One sentence about a problem that is not an error, such as a wrong bound of the domain, missing tables or
    /// unsuitable limits; "" if there is no warning.
    std::string warning() const { return c_.warning; }
    /// The whole result of the C library, with counts, time and memory.
    const soloist_result &get() const noexcept { return c_; }

    /// Moves the contents of the other result into this one.
    Result(Result &&other) noexcept : c_(std::exchange(other.c_, soloist_result{})) {}
    /// Moves the contents of the other result into this one.
    Result &operator=(Result &&other) noexcept {
        std::swap(c_, other.c_);
        return *this;
    }
    ~Result() { soloist_result_free(&c_); }

  private:
    friend class Engine;
    Result() = default;
    soloist_result c_{};
};

/// A trained network, for methods that use one. A Network keeps its engine alive.
class Network {
  public:
    /// The underlying object of the C library.
    soloist_network *get() const noexcept { return network_.get(); }

  private:
    friend class Engine;
    explicit Network(std::shared_ptr<soloist_network> network) : network_(std::move(network)) {}
    std::shared_ptr<soloist_network> network_;
};

/// A method: its name and one line about it.
struct Method {
    std::string name;    ///< such as "astar"
    std::string summary; ///< one line
};

/// A function that gets reports on the progress of a solve. A thread of the solve calls this function.
using Progress = std::function<void(const soloist_progress &)>;

/// The engine holds the known domains and methods, and the tables that puzzles share. Copies of an Engine share the
/// same engine. Several threads may use an engine at once, except while a domain is being added.
class Engine {
  public:
    /// Makes an engine with the built-in domains. Throws Error if memory runs out.
    Engine() : engine_(soloist_new(), soloist_free) {
        if (!engine_)
            throw Error(SOLOIST_NO_MEMORY, soloist_error{});
    }

    /// Adds a domain of your own. The table `domain` is borrowed and must outlive the engine and its puzzles.
    void add(const soloist_domain &domain) {
        soloist_error error{};
        check(soloist_add_domain(engine_.get(), &domain, &error), error);
    }
    /// The names of all domains.
    std::vector<std::string> domains() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; const soloist_domain *domain = soloist_domain_at(engine_.get(), i); i++)
            names.emplace_back(domain->name);
        return names;
    }
    /// The names and summaries of all methods.
    std::vector<Method> methods() const {
        std::vector<Method> list;
        const char *name, *summary;
        for (std::size_t i = 0; soloist_method_at(engine_.get(), i, &name, &summary, nullptr); i++)
            list.push_back({name, summary});
        return list;
    }

    /// Reads the first puzzle of a text. The argument `domain` is the domain's name; "" means that the engine
    /// recognises the domain from the text.
    Puzzle read(std::string_view text, const std::string &domain = "", const Options &options = {}) const {
        soloist_cursor cursor = soloist_cursor_open(text.data(), text.size());
        std::optional<Puzzle> puzzle = next(find(domain, text), options, cursor);
        return puzzle ? *puzzle : throw Error(SOLOIST_BAD_INPUT, say("the text has no puzzle"));
    }
    /// Reads all puzzles of a text. Throws Error at the first puzzle that cannot be read.
    std::vector<Puzzle> read_all(std::string_view text, const std::string &domain = "",
                                 const Options &options = {}) const {
        soloist_cursor cursor = soloist_cursor_open(text.data(), text.size());
        const soloist_domain &found = find(domain, text);
        std::vector<Puzzle> puzzles;
        while (std::optional<Puzzle> puzzle = next(found, options, cursor))
            puzzles.push_back(*puzzle);
        return puzzles;
    }
    /// Makes a new puzzle and returns its text. The same values of `domain`, `options`, `seed` and `number` always give
    /// the same puzzle.
    std::string generate(const std::string &domain, const Options &options = {}, std::uint64_t seed = 1,
                         std::uint64_t number = 0) const {
        const soloist_generate *group = find(domain, "").generate;
        if (!group)
            throw Error(SOLOIST_UNSUPPORTED, say("the domain has no generator"));
        std::vector<std::uint64_t> values(group->options_size / 8 + 1);
        soloist_error error{};
        soloist_options_reset(group->options, values.data());
        check(soloist_options_parse(group->options, values.data(), options.text().c_str(), &error), error);
        soloist_rng rng;
        soloist_rng_seed(&rng, seed, number);
        std::string text;
        soloist_sink sink{detail::append, &text};
        check(group->make(values.data(), &rng, &sink, &error), error);
        return text;
    }

    /// Opens a network from a file ("FILE" or "FILE:key=value,...").
    Network network(const std::string &domain, const std::string &file) const {
        soloist_error error{};
        soloist_network *opened = soloist_network_open(&find(domain, ""), file.c_str(), &error);
        if (!opened)
            throw Error(SOLOIST_BAD_INPUT, error);
        std::shared_ptr<soloist> engine = engine_;
        return Network(std::shared_ptr<soloist_network>(
            opened, [engine](soloist_network *network) { soloist_network_close(network); }));
    }

    /// Solves a puzzle by the method "NAME" or "NAME:key=value,...". If the function `progress` throws an exception,
    /// the solve's stop token is stopped, and `solve` throws the same exception.
    Result solve(const Puzzle &puzzle, const std::string &method = "auto", const Limits &limits = {},
                 const Progress &progress = nullptr) const {
        Result result;
        soloist_error error{};
        StopToken own;
        Watch watch{progress, limits.stop ? *limits.stop : own, nullptr};
        soloist_limits given{};
        given.time_s = limits.time_s;
        given.nodes = limits.nodes;
        given.iterations = limits.iterations;
        given.memory = limits.memory;
        given.threads = limits.threads;
        given.seed = limits.seed;
        given.stop = limits.stop || progress ? watch.stop.get() : nullptr;
        given.network = limits.network ? limits.network->get() : nullptr;
        soloist_callbacks callbacks{report, nullptr, &watch};
        soloist_code code = soloist_solve(engine_.get(), puzzle.get(), method.c_str(), &given,
                                          progress ? &callbacks : nullptr, &result.c_, &error);
        if (watch.thrown)
            std::rethrow_exception(watch.thrown);
        check(code, error);
        return result;
    }
    /// The underlying object of the C library.
    soloist *get() const noexcept { return engine_.get(); }

  private:
    struct Watch {
        const Progress &progress;
        StopToken &stop;
        std::exception_ptr thrown;
    };
    // C code calls this function. If the user's function throws an exception, `report` stores the exception and stops
    // the solve.
    static void report(void *user, const soloist_progress *progress) noexcept {
        Watch &watch = *static_cast<Watch *>(user);
        if (watch.thrown)
            return;
        try {
            watch.progress(*progress);
        } catch (...) {
            watch.thrown = std::current_exception();
            watch.stop.cancel();
        }
    }
    static void check(soloist_code code, const soloist_error &error) {
        if (code != SOLOIST_OK)
            throw Error(code, error);
    }
    static soloist_error say(const std::string &text) {
        soloist_error error{};
        std::strncpy(error.text, text.c_str(), sizeof error.text - 1);
        return error;
    }
    const soloist_domain &find(const std::string &name, std::string_view text) const {
        const soloist_domain *domain = name.empty() ? soloist_recognise(engine_.get(), text.data(), text.size())
                                                    : soloist_find_domain(engine_.get(), name.c_str());
        if (!domain)
            throw Error(name.empty() ? SOLOIST_BAD_INPUT : SOLOIST_MISUSE,
                        say(name.empty() ? "no domain recognises the text" : "there is no domain " + name));
        return *domain;
    }
    std::optional<Puzzle> next(const soloist_domain &domain, const Options &options, soloist_cursor &cursor) const {
        auto owned = std::make_shared<Puzzle::Owned>();
        soloist_code code;
        soloist_error error{};
        owned->engine = engine_;
        if (!soloist_next_puzzle(&domain, options.text().c_str(), &cursor, &owned->c, &code, &error))
            return std::nullopt;
        check(code, error);
        owned->whole = true;
        return Puzzle(std::move(owned));
    }

    std::shared_ptr<soloist> engine_;
};

/// The version of the library that runs.
inline std::string version() { return soloist_version(); }

} // namespace solo

#endif
