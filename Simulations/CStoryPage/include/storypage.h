// The hand-kept parts of the page that tells a story, as they lie in the folder page.
#pragma once
#include <stddef.h>

// Bytes of the program itself: they live as long as it does.
struct StoryPart {
    const unsigned char *bytes;
    size_t count;
};

// The page, with {{policy}}, {{title}}, {{style}}, {{story}} and {{script}} where these belong.
struct StoryPart story_part_page(void);
struct StoryPart story_part_style(void);
// All scripts, one after the other.
struct StoryPart story_part_script(void);
