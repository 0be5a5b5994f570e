// Solves every puzzle of a file, in C++: solve_cpp FILE. Errors say where they are.
//
// c++ -std=c++17 solve_cpp.cpp $(pkg-config --cflags --libs soloist) -o solve_cpp
#include <soloist.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char **words) {
    if (count != 2) {
        std::cerr << "usage: solve_cpp FILE\n";
        return 2;
    }
    std::ifstream file(words[1]);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        solo::Engine engine;
        solo::Limits limits;
        limits.time_s = 10;
        for (const solo::Puzzle &puzzle : engine.read_all(text)) {
            solo::Result result = engine.solve(puzzle, "auto", limits);
            std::cout << puzzle.domain() << ", " << soloist_status_name(result.status());
            if (result.solved())
                std::cout << " at " << result.value() << (result.optimal() ? " (optimal): " : ": ")
                          << result.solution().value();
            std::cout << "\n";
        }
    } catch (const solo::Error &error) {
        std::cerr << words[1] << ": " << error.what() << "\n";
        return 2;
    }
}
