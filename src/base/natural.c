#include "base/natural.h"

#include <stdbool.h>
#include <string.h>

/* The rest of a text. */
struct rest {
    const char *at, *end;
};

static bool at_digit(const struct rest *rest, ptrdiff_t offset) {
    return rest->end - rest->at > offset && rest->at[offset] >= '0' && rest->at[offset] <= '9';
}

/* Skips the digits of a whole number and returns how many there are, without leading zeros; *first is the first one. */
static ptrdiff_t skip_whole(struct rest *rest, const char **first) {
    while (at_digit(rest, 1) && *rest->at == '0')
        rest->at++;
    *first = rest->at;
    while (at_digit(rest, 0))
        rest->at++;
    return rest->at - *first;
}

/* Compares the digits after the decimal point, if there are any, and skips equal ones. */
static int compare_fractions(struct rest *a, struct rest *b) {
    bool a_point = at_digit(a, 1) && *a->at == '.', b_point = at_digit(b, 1) && *b->at == '.';
    if (!a_point || !b_point)
        return a_point - b_point;
    do {
        a->at++;
        b->at++;
    } while (at_digit(a, 0) && at_digit(b, 0) && *a->at == *b->at);
    return (at_digit(a, 0) ? *a->at : 0) - (at_digit(b, 0) ? *b->at : 0);
}

static int compare_numbers(struct rest *a, struct rest *b) {
    const char *a_first, *b_first;
    ptrdiff_t digits = skip_whole(a, &a_first), b_digits = skip_whole(b, &b_first);
    int order =
        digits != b_digits ? (digits > b_digits) - (digits < b_digits) : memcmp(a_first, b_first, (size_t)digits);
    return order ? order : compare_fractions(a, b);
}

int natural_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
    struct rest left = {a, a + a_length}, right = {b, b + b_length};
    int order = 0;
    while (!order && left.at < left.end && right.at < right.end)
        order = at_digit(&left, 0) && at_digit(&right, 0) ? compare_numbers(&left, &right)
                                                          : (unsigned char)*left.at++ - (unsigned char)*right.at++;
    order = order ? order : (left.at < left.end) - (right.at < right.end);
    /* Only zeros at the front of a number can still differ. */
    return order                  ? order
           : a_length != b_length ? (a_length > b_length) - (a_length < b_length)
                                  : memcmp(a, b, a_length);
}
