#ifndef SOLOIST_BASE_SANITIZER_H
#define SOLOIST_BASE_SANITIZER_H

/* Which sanitizers this build has, 0 or 1: gcc defines a macro for each of them, clang answers questions. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#else
#ifdef __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER 1
#endif
#ifdef __SANITIZE_THREAD__
#define HAS_THREAD_SANITIZER 1
#endif
#endif

#ifndef HAS_ADDRESS_SANITIZER
#define HAS_ADDRESS_SANITIZER 0
#endif
#ifndef HAS_THREAD_SANITIZER
#define HAS_THREAD_SANITIZER 0
#endif
#define HAS_SANITIZER (HAS_ADDRESS_SANITIZER || HAS_THREAD_SANITIZER)

#endif
