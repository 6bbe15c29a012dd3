/* libbankside: filter banks over images, from any program that can call C.
 *
 *   bk_bank* bank;                       a bank of the catalogue, a bank file, or taps of one's own
 *   bk_plan* plan;                       prepared once for a bank and the shape of an image ...
 *   bk_execute(plan, &image, &results, NULL, NULL);      ... and run as often as one likes
 *
 * Every call that can fail returns a status, and bk_last_error() then has one sentence. Nothing throws,
 * prints or ends the program. Handles belong to the caller, who frees them in any order: a plan keeps what it
 * needs of its context and bank. A handle of NULL is refused, freed without effect. Any handle may be used by
 * several threads at once; only freeing it must come last.
 *
 * Structures begin with their size. Set `size` to sizeof the structure and the rest to zero: zero is the
 * default of every field, and fields that later versions add at the end keep that meaning. A structure with a
 * non-zero field that this library does not know is refused.
 *
 * Pixels lie in host memory, and CPU engines compute; or, of a plan for "cuda:0", in that device's memory,
 * and what an execution starts on the caller's stream computes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BK_API __attribute__((visibility("default")))
#else
#define BK_API
#endif

#ifdef __cplusplus
extern "C" {
#define BK_NOEXCEPT noexcept
#else
#define BK_NOEXCEPT
#endif

/* The version of the library that runs, "0.1.0". */
BK_API const char* bk_version(void) BK_NOEXCEPT;

typedef enum bk_status {
  BK_OK = 0,
  BK_BAD_INPUT = 1,   /* an argument, a bank or a file is wrong */
  BK_UNSUPPORTED = 2, /* right, but no engine here can do it */
  BK_DEVICE = 3,      /* an accelerator failed */
  BK_IO = 4,          /* a file could not be read */
  BK_LIMIT = 5,       /* a set bound would be passed */
  BK_NO_MEMORY = 6,
  BK_CANCELLED = 7, /* the stop was requested; results are unfinished */
  BK_INTERNAL = 8   /* a mistake of the library's own */
} bk_status;

/* Of the last call that failed on this thread: one sentence, UTF-8, at most 4,095 bytes; "" before any. It
 * stays until the next failure on the same thread. */
BK_API const char* bk_last_error(void) BK_NOEXCEPT;

/* ---- context: threads and remarks ---- */
typedef struct bk_context bk_context;

typedef enum bk_log_level { BK_LOG_INFO = 0, BK_LOG_WARNING = 1, BK_LOG_ERROR = 2 } bk_log_level;

/* One sentence, which ends with the call. On the thread that prepares a plan; must not throw. */
typedef void bk_log(void* data, bk_log_level level, const char* sentence);

/* Memory of the caller's: `bytes` on a multiple of `alignment`, a power of two (today 64). NULL: there is
 * none, and the call ends with BK_NO_MEMORY. `release` takes back what `allocate` gave. Both are called from
 * any thread, several at once, within calls of this library; they must not throw, nor call it. */
typedef void* bk_allocate(void* data, size_t bytes, size_t alignment);
typedef void bk_release(void* data, void* memory);

typedef struct bk_context_options {
  size_t size;
  int32_t threads; /* of one execution; 0: as many as this process may use. Never more than those. */
  int32_t unused;
  bk_log* log; /* NULL: silence */
  void* log_data;
  bk_allocate* allocate; /* with `release`; both NULL: the process's memory */
  bk_release* release;
  void* allocator_data;
} bk_context_options;

/* An allocator has all memory of plans for the host, and of their executions, whose size grows with the image
 * or is a transform's: rows on the way, windows of rows, responses, tiles, the bank's spectra. It has not:
 * handles, names, taps, tables (of pointers to rows, a byte for 64 pixels), oneTBB's own, recipes and their
 * maps, plans for a device. A plan keeps it: it must outlive the plan, the context need not. */
/* `options` may be NULL. Contexts do not see each other; with one thread none touches a thread pool. */
BK_API bk_status bk_context_create(const bk_context_options* options, bk_context** context) BK_NOEXCEPT;
BK_API void bk_context_free(bk_context* context) BK_NOEXCEPT;

/* ---- bank: filters, immutable ---- */
typedef struct bk_bank bk_bank;

typedef enum bk_mode {
  BK_CORRELATION = 0, /* result(x,y) = sum taps(i,j) image(x + i - anchor_x, y + j - anchor_y), as filter2D */
  BK_CONVOLUTION = 1  /* the same with taps and anchor turned by 180 degrees */
} bk_mode;

/* A bank of the catalogue: "sobel", "vessel-matched:sigma=1.5,length=7". Reads no file. */
BK_API bk_status bk_bank_make(const char* specification, bk_bank** bank) BK_NOEXCEPT;

/* The same, or a file: what contains '/' or has a bank file's ending (bankside banks formats). */
BK_API bk_status bk_bank_load(const char* specification_or_file, bk_bank** bank) BK_NOEXCEPT;

typedef struct bk_taps {
  size_t size;
  const float* taps; /* [filters][channels][height][width], dense; copied */
  int32_t filters;   /* 1 to 4,096 */
  int32_t channels;  /* 1: every channel of an image is filtered; else summed over */
  int32_t height;    /* 1 to 127 */
  int32_t width;
  int32_t mode; /* bk_mode */
  int32_t unused;
  const int32_t* anchor; /* {x, y}: the tap that lies on the result's pixel; NULL: (width/2, height/2) */
} bk_taps;

/* A bank from an array. Filters are labelled "filter0", "filter1" and so on. */
BK_API bk_status bk_bank_from_taps(const bk_taps* taps, bk_bank** bank) BK_NOEXCEPT;
BK_API void bk_bank_free(bk_bank* bank) BK_NOEXCEPT;

/* A bank as the JSON of a bank file, for as long as the bank stays; and of such a text, with a name. */
BK_API bk_status bk_bank_text(const bk_bank* bank, const char** text) BK_NOEXCEPT;
BK_API bk_status bk_bank_parse(const char* text, const char* name, bk_bank** bank) BK_NOEXCEPT;

typedef struct bk_bank_info {
  size_t size;
  const char* name; /* texts stay as long as the bank */
  const char* title;
  const char* citation;
  int32_t filters;
  int32_t channels;
  int32_t mode;
  int32_t unused;
} bk_bank_info;

/* Set `size` before; fills the rest. So do the other calls that describe. */
BK_API bk_status bk_bank_describe(const bk_bank* bank, bk_bank_info* info) BK_NOEXCEPT;

typedef struct bk_filter_info {
  size_t size;
  const char* label; /* stays as long as the bank, as do the taps */
  const float* taps; /* [channels][height][width] */
  int32_t channels;
  int32_t height;
  int32_t width;
  int32_t anchor_x;
  int32_t anchor_y;
  int32_t unused;
} bk_filter_info;

BK_API bk_status bk_bank_filter(const bk_bank* bank, int32_t index, bk_filter_info* info) BK_NOEXCEPT;

typedef struct bk_catalogue_info {
  size_t size;
  const char* name; /* texts stay for ever */
  const char* title;
  const char* citation;
  const char* specification; /* the name with every parameter at its default */
} bk_catalogue_info;

BK_API int32_t bk_catalogue_size(void) BK_NOEXCEPT;
BK_API bk_status bk_catalogue_entry(int32_t index, bk_catalogue_info* info) BK_NOEXCEPT;

/* ---- plan: a bank prepared for images of one shape ---- */
typedef struct bk_plan bk_plan;

typedef enum bk_type { BK_F32 = 0, BK_U8 = 1, BK_U16 = 2, BK_F16 = 3 } bk_type;

/* What a filter sees beyond the edge, of a row a b c d:
 *   REFLECT101  d c b | a b c d | c b a     OpenCV's default; SciPy's "mirror"
 *   CONSTANT    v v v | a b c d | v v v
 *   REPLICATE   a a a | a b c d | d d d     SciPy's "nearest"
 *   REFLECT     c b a | a b c d | d c b     SciPy's "reflect"
 *   WRAP        b c d | a b c d | a b c */
typedef enum bk_border {
  BK_BORDER_REFLECT101 = 0,
  BK_BORDER_CONSTANT = 1,
  BK_BORDER_REPLICATE = 2,
  BK_BORDER_REFLECT = 3,
  BK_BORDER_WRAP = 4
} bk_border;

/* What becomes of a bank's responses at a pixel. ABSMAX keeps the sign; ARGMAX gives the value and, as u16,
 * the filter's number; MAGNITUDE is the root of the sum of squares. */
typedef enum bk_combine {
  BK_COMBINE_NONE = 0,
  BK_COMBINE_MAX = 1,
  BK_COMBINE_ABSMAX = 2,
  BK_COMBINE_ARGMAX = 3,
  BK_COMBINE_MEAN = 4,
  BK_COMBINE_SUM = 5,
  BK_COMBINE_MAGNITUDE = 6
} bk_combine;

typedef enum bk_precision {
  BK_PRECISION_FP32 = 0,  /* whatever has the accuracy of f32 sums: transforms and factors too */
  BK_PRECISION_EXACT = 1, /* one f32 multiply-add a tap, in one order */
  BK_PRECISION_FP16 = 2   /* pixels and taps may be rounded to half precision (no CPU engine does) */
} bk_precision;

typedef struct bk_plan_options {
  size_t size;
  int64_t channels; /* of the image, 1 or more */
  int64_t height;
  int64_t width;
  int32_t type;        /* bk_type of its pixels; native values, never rescaled */
  int32_t result_type; /* bk_type; integers round to nearest, ties to even, and saturate */
  int32_t border;      /* bk_border */
  float border_value;  /* for CONSTANT alone */
  int32_t combine;     /* bk_combine */
  int32_t precision;   /* bk_precision */
  const char* engine;  /* NULL: "auto", the fastest by prediction */
  const char* device;  /* where pixels lie: NULL or "cpu", host memory; "cuda:0", "cuda:1" ... */
  int32_t any_strides; /* of a device: 1 reserves memory for views that are not taken in place */
  int32_t unused;
} bk_plan_options;

/* `context` may be NULL: all threads, no remarks. A plan for "cuda:0" belongs to the first GPU that the
 * process sees (CUDA_VISIBLE_DEVICES chooses and numbers), one for "cuda:1" to the next, whichever the
 * caller's current device is. It is BK_UNSUPPORTED with a sentence where there is none, no driver, or no CUDA
 * in this build, and has all its memory from here on. Make and free such plans while no stream is captured
 * into a graph; freeing waits for the device. A bank whose filters differ in size has no combine there. */
BK_API bk_status bk_plan_create(const bk_context* context, const bk_bank* bank,
                                const bk_plan_options* options, bk_plan** plan) BK_NOEXCEPT;
BK_API void bk_plan_free(bk_plan* plan) BK_NOEXCEPT;

typedef struct bk_plan_info {
  size_t size;
  int64_t planes;       /* of the results: without a combine one a filter (and channel, where those are not
                           summed: channel by channel), with one 1 (a channel) */
  int64_t index_planes; /* as many for ARGMAX, else 0 */
  const char* engine;   /* that computes; with '+' between several. Texts stay as long as the plan */
  const char* choice;   /* what it chose, and why */
  const char* device;   /* "cpu", "cuda:0", "cuda:1" ... */
} bk_plan_info;

/* The first call on a machine measures it for a millisecond, for the times in `choice`. */
BK_API bk_status bk_plan_describe(const bk_plan* plan, bk_plan_info* info) BK_NOEXCEPT;

typedef struct bk_plane_info {
  size_t size;
  const char* label; /* the filter's or the combine's; stays as long as the plan */
  int64_t channel;   /* of the image, where channels are not summed */
} bk_plane_info;

BK_API bk_status bk_plan_plane(const bk_plan* plan, int64_t plane, bk_plane_info* info) BK_NOEXCEPT;

/* ---- execution ---- */
/* Pixels [channels][height][width] of the caller's. Strides are in bytes and may be anything: negative, 0 (an
 * image, not results: the same pixel again), or those of rows between rows. Rows of pixels side by side on
 * addresses that fit the type are read and written in place; others are copied row by row on the way.
 * In device memory: dense arrays of any width are taken. With `any_strides` so is everything whose address
 * and strides are multiples of the pixel's size. Without it of images those whose width is a multiple of four
 * and whose rows and planes begin at multiples of four pixels (where channels are summed any width,
 * anywhere), of results those of an even width whose rows and planes begin at multiples of 16 bytes, both
 * with pixels side by side in increasing order. What is taken and is not so is copied on the device, in the
 * same stream. */
typedef struct bk_view {
  size_t size;
  void* data; /* of pixel [0][0][0]; an image's are not written */
  int32_t type;
  int32_t unused;
  int64_t channels;
  int64_t height;
  int64_t width;
  int64_t channel_stride;
  int64_t row_stride;
  int64_t pixel_stride;
} bk_view;

/* Somebody's wish that an execution end, to be asked from any thread. */
typedef struct bk_stop bk_stop;
BK_API bk_status bk_stop_create(bk_stop** stop) BK_NOEXCEPT;
BK_API bk_status bk_stop_request(bk_stop* stop) BK_NOEXCEPT;
BK_API void bk_stop_free(bk_stop* stop) BK_NOEXCEPT;

typedef struct bk_run_options {
  size_t size;
  const bk_stop* stop; /* NULL: runs to the end. Else BK_CANCELLED within 200 ms of the request */
  void* stream;        /* of a plan for a device: a cudaStream_t of that device; NULL is the legacy one */
} bk_run_options;

/* Filters `image` into `results` [planes][height][width] of the plan's result type and, for ARGMAX, `indices`
 * [planes][height][width] u16 (else NULL). `options` may be NULL. The bytes do not depend on the number of
 * threads. Image and results must not share memory, nor two results.
 * With one thread and views that are read and written in place nothing is allocated and nothing locked, from
 * the first execution on for images up to 65,536 wide (pixels near the limits of f32 or beyond apart).
 * Of a plan for a device: starts the work on the stream and comes back; nothing is waited for or allocated,
 * and the stream may be captured into a graph. Pixels must be there, and plan and memory must stay, as of any
 * work in that stream (of a graph, as long as it is launched). Executions of one plan must follow each other
 * on the device, in one stream or ordered by events; those of different plans need not. */
BK_API bk_status bk_execute(const bk_plan* plan, const bk_view* image, const bk_view* results,
                            const bk_view* indices, const bk_run_options* options) BK_NOEXCEPT;

/* What comes into `stream` from now on waits for what is in `earlier` now; both are cudaStream_t of one
 * device. For arrays that come with a stream of their own. Nothing is waited for here, nor while both are
 * one. */
BK_API bk_status bk_stream_wait(void* stream, void* earlier) BK_NOEXCEPT;

/* ---- recipe: banks and operations in steps, as the command's --recipe ---- */
typedef struct bk_recipe bk_recipe;

/* Who knows the width of an image's widest vessels, in pixels, and not its camera's angle: pixels_per_degree
 * is that width over this. The veins at the disc's rim are 0.125 mm (ETDRS report 10, 1991), a degree 0.291
 * mm. */
#define BK_WIDEST_VESSEL_DEGREES 0.43

typedef struct bk_recipe_options {
  size_t size;
  double pixels_per_degree; /* of the images, for recipes that are written for a scale; 0: nobody says */
  int64_t memory;           /* bytes that maps may take at once; 0: 1 GiB */
} bk_recipe_options;

/* A recipe that comes with the library ("vessels"), or a file: what contains '/' or ends in .json. Its
 * engines are those of host memory. `context` and `options` may be NULL. */
BK_API bk_status bk_recipe_load(const bk_context* context, const char* name_or_file,
                                const bk_recipe_options* options, bk_recipe** recipe) BK_NOEXCEPT;
BK_API void bk_recipe_free(bk_recipe* recipe) BK_NOEXCEPT;

typedef struct bk_recipe_info {
  size_t size;
  const char* title; /* texts stay as long as the recipe; "" where it has none */
  const char* citation;
  const char* channel; /* of colours, that it sees: "auto", "luma", "red", "green", "blue", "all", "pages",
                          "pages-max" */
  double threshold;    /* what is as high or higher is what it looks for; NaN where it says none */
  int64_t maps;        /* that it makes of an image of one channel; 0 where it takes all of several */
} bk_recipe_info;

BK_API bk_status bk_recipe_describe(const bk_recipe* recipe, bk_recipe_info* info) BK_NOEXCEPT;

/* Of the maps of an image of one channel; the label stays as long as the recipe. */
BK_API bk_status bk_recipe_plane(const bk_recipe* recipe, int64_t map, bk_plane_info* info) BK_NOEXCEPT;

/* Names of the recipes that come with the library. They stay for ever; NULL for another number. */
BK_API int32_t bk_recipe_catalogue_size(void) BK_NOEXCEPT;
BK_API const char* bk_recipe_catalogue_name(int32_t index) BK_NOEXCEPT;

/* What a recipe made of an image. */
typedef struct bk_maps bk_maps;

/* Runs a recipe over `image`: one channel, which is taken as it is; red, green and blue, or those and alpha,
 * of which the recipe takes what it wants; or others, for recipes that take all. `field` may be NULL: the
 * field of view [1][height][width] u8, not 0 inside, which steps then need not find. `options` may be NULL;
 * it has no stream. Values are those of `bankside filter --recipe ... --map none`, bit for bit, on whatever
 * number of threads. What is prepared stays for the next image of the same size. Runs of one recipe follow
 * each other: threads that want to run at once have a recipe each. */
BK_API bk_status bk_recipe_run(const bk_recipe* recipe, const bk_view* image, const bk_view* field,
                               const bk_run_options* options, bk_maps** maps) BK_NOEXCEPT;
BK_API void bk_maps_free(bk_maps* maps) BK_NOEXCEPT;

typedef struct bk_maps_info {
  size_t size;
  int64_t maps;
  int64_t height;
  int64_t width;
} bk_maps_info;

BK_API bk_status bk_maps_describe(const bk_maps* maps, bk_maps_info* info) BK_NOEXCEPT;

typedef struct bk_map_info {
  size_t size;
  const char* label; /* texts and values stay as long as the maps */
  int64_t channel;   /* of what the last bank sees */
  const void* data;  /* of pixel [0][0], pixels side by side */
  int64_t row_stride;
  int32_t type; /* bk_type: BK_F32, or BK_U16 for an argmax's filter numbers */
  int32_t unused;
} bk_map_info;

BK_API bk_status bk_maps_map(const bk_maps* maps, int64_t index, bk_map_info* info) BK_NOEXCEPT;

/* ---- engines ---- */
/* Names of the engines over host memory (bk_plan_options.engine), for ever; NULL for another number. */
BK_API int32_t bk_engine_list_size(void) BK_NOEXCEPT;
BK_API const char* bk_engine_list_name(int32_t index) BK_NOEXCEPT;

/* Bytes of a pixel; 0 for what is no type. */
static inline int64_t bk_type_size(int32_t type) {
  return type == BK_F32 ? 4 : type == BK_U8 ? 1 : type == BK_U16 || type == BK_F16 ? 2 : 0;
}

/* The view of a dense array. */
static inline bk_view bk_dense_view(void* data, int32_t type, int64_t channels, int64_t height,
                                    int64_t width) {
  bk_view view;
  view.size = sizeof view;
  view.data = data;
  view.type = type;
  view.unused = 0;
  view.channels = channels;
  view.height = height;
  view.width = width;
  view.pixel_stride = bk_type_size(type);
  view.row_stride = view.pixel_stride * width;
  view.channel_stride = view.row_stride * height;
  return view;
}

#ifdef __cplusplus
}
#endif
