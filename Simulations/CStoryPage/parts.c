#include "storypage.h"

// The compiler of the toolchain knows #embed in every mode of the language.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "page/story.html"
};

static const unsigned char style[] = {
#embed "page/story.css"
};

static const unsigned char script[] = {
#embed "page/state.js"
    ,
#embed "page/words.js"
    ,
#embed "page/marks.js"
    ,
#embed "page/picture.js"
    ,
#embed "page/panels.js"
    ,
#embed "page/story.js"
};

struct StoryPart story_part_page(void) { return (struct StoryPart){page, sizeof page}; }

struct StoryPart story_part_style(void) { return (struct StoryPart){style, sizeof style}; }

struct StoryPart story_part_script(void) { return (struct StoryPart){script, sizeof script}; }
