/// The words of ``Fingerprint``: 256 short English nouns of things one can picture, in order.
///
/// The list never changes: a word's place in it is the byte it stands for.
enum FingerprintWords {
    static let all = [
        "acid", "acorn", "actor", "album", "amber", "anchor", "ankle", "apple", "apron", "arch",
        "arrow", "atlas", "attic", "autumn", "axle", "bacon", "badge", "baker", "bamboo", "banjo",
        "barn", "basil", "basket", "beach", "beetle", "bell", "bench", "berry", "bicycle",
        "birch", "biscuit", "blanket", "blossom", "bonfire", "book", "bottle", "boulder", "bread",
        "brick", "bridge", "broom", "bucket", "butter", "button", "cabin", "cactus", "camel",
        "candle", "canoe", "canyon", "carpet", "castle", "cedar", "cello", "chalk", "cherry",
        "chess", "chimney", "cider", "circle", "clay", "clock", "cloud", "clover", "cobra",
        "coffee", "comet", "copper", "coral", "cotton", "cradle", "crayon", "cricket", "crown",
        "cube", "cup", "curtain", "daisy", "dance", "deer", "denim", "desert", "diamond", "dice",
        "dolphin", "donkey", "dove", "dragon", "drum", "duck", "dune", "eagle", "earth", "easel",
        "echo", "elbow", "elm", "ember", "engine", "falcon", "feather", "fence", "fern", "fiddle",
        "fig", "finger", "flag", "flute", "forest", "fossil", "fox", "frost", "garden", "garlic",
        "gate", "gem", "ginger", "giraffe", "glacier", "globe", "glove", "goat", "goose", "grape",
        "guitar", "gull", "hammer", "harbor", "hazel", "hedge", "helmet", "heron", "hinge",
        "honey", "horse", "hotel", "husk", "igloo", "ink", "iris", "island", "ivory", "ivy",
        "jacket", "jade", "jam", "jelly", "jewel", "jigsaw", "jungle", "kayak", "kettle",
        "kitchen", "kite", "knee", "koala", "ladder", "lagoon", "lake", "lantern", "laurel",
        "lemon", "lens", "lilac", "lily", "linen", "lion", "lizard", "lobster", "locket",
        "lumber", "lynx", "magnet", "mango", "maple", "marble", "meadow", "melon", "metal",
        "mirror", "mitten", "moon", "moss", "mule", "museum", "needle", "nest", "nickel",
        "noodle", "nutmeg", "oak", "oasis", "ocean", "olive", "onion", "opal", "orbit", "orchid",
        "otter", "oven", "owl", "oyster", "paddle", "palm", "panda", "paper", "parrot", "pasta",
        "pear", "pebble", "pelican", "pencil", "pepper", "piano", "pigeon", "pillow", "planet",
        "plum", "pocket", "pony", "potato", "puddle", "quartz", "quilt", "rabbit", "raft", "rain",
        "raven", "ribbon", "river", "robin", "rocket", "rose", "ruby", "saddle", "sail", "salmon",
        "scarf", "shell", "silver", "sled", "sofa", "spoon", "tent", "tulip", "turtle",
        "umbrella", "valley", "vase", "velvet", "violin", "walnut", "whale", "wheel", "willow",
        "yacht",
    ]
}
