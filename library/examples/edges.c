/* The edges of a ramp, in C. */
#include <bankside/bankside.h>
#include <stdio.h>

int main(void) {
  unsigned char pixels[8 * 8];
  float edges[8 * 8];
  bk_bank* bank = NULL;
  bk_plan* plan = NULL;
  bk_plan_options options = {0};
  for (int i = 0; i < 64; ++i) pixels[i] = (unsigned char)(i % 8 * 10);

  options.size = sizeof options;
  options.channels = 1;
  options.height = options.width = 8;
  options.type = BK_U8;
  options.combine = BK_COMBINE_MAGNITUDE;
  bk_view image = bk_dense_view(pixels, BK_U8, 1, 8, 8), results = bk_dense_view(edges, BK_F32, 1, 8, 8);
  bk_status status = bk_bank_make("sobel", &bank);
  if (status == BK_OK) status = bk_plan_create(NULL, bank, &options, &plan);
  if (status == BK_OK) status = bk_execute(plan, &image, &results, NULL, NULL);
  if (status == BK_OK) {
    printf("in the middle %g, at the edge %g\n", edges[4 * 8 + 4], edges[4 * 8]);
  } else {
    fprintf(stderr, "%s\n", bk_last_error());
  }
  bk_plan_free(plan);
  bk_bank_free(bank);
  return status != BK_OK;
}
