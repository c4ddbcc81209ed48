/*
 * What stands before the lens of libcamera's virtual camera, and what happens to the camera.
 *
 * That camera copies pictures of a folder, read once when it is opened, with NV12Copy of libyuv. This library stands
 * before libyuv (/etc/ld.so.preload) and gives it the picture that lies in /dev/shm/scene in their place, with fresh
 * noise in every frame as a sensor has it, at the rate that is asked for there. Sizes that the scene does not have get
 * what the folder has.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define WIDE 1280
#define HIGH 960
#define GRAINS (1 << 16)

struct scene {
	volatile uint32_t shown;     /* which of the two pictures, 0 or 1 */
	volatile uint32_t period_us; /* from one frame to the next */
	volatile uint32_t stalled;   /* not 0: no frame comes */
	volatile uint32_t frames;    /* how many were given */
	uint8_t pictures[2][WIDE * HIGH * 3 / 2];
};

static struct scene *scene;
static uint8_t grain[GRAINS + WIDE];
static uint32_t chance = 2463534242u;

static uint32_t draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return chance;
}

static int look(void)
{
	int file, i;

	if (scene)
		return 1;
	file = open("/dev/shm/scene", O_RDWR | O_CLOEXEC);
	if (file < 0)
		return 0;
	scene = mmap(NULL, sizeof(*scene), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (scene == MAP_FAILED) {
		scene = NULL;
		return 0;
	}
	for (i = 0; i < GRAINS + WIDE; i++) /* two dice of three sides: -2 to 2, mostly 0 */
		grain[i] = (uint8_t)(draw() % 3 + draw() % 3 - 2);
	return 1;
}

static void wait_for_frame(void)
{
	static struct timespec next;
	struct timespec now, nap = { 0, 20000000 };
	long ns = (long)scene->period_us * 1000;

	while (scene->stalled)
		nanosleep(&nap, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	next.tv_nsec += ns;
	next.tv_sec += next.tv_nsec / 1000000000;
	next.tv_nsec %= 1000000000;
	if (next.tv_sec < now.tv_sec || (next.tv_sec == now.tv_sec && next.tv_nsec < now.tv_nsec))
		next = now; /* late: the frames that were missed do not come */
	else
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	scene->frames++;
}

static void expose(const uint8_t *y, uint8_t *to_y, int stride_y, uint8_t *to_uv, int stride_uv)
{
	const uint8_t *uv = y + WIDE * HIGH;
	int row, column;

	for (row = 0; row < HIGH; row++) {
		const uint8_t *noise = grain + draw() % GRAINS;

		for (column = 0; column < WIDE; column++)
			to_y[row * stride_y + column] = y[row * WIDE + column] + noise[column];
	}
	for (row = 0; row < HIGH / 2; row++)
		memcpy(to_uv + row * stride_uv, uv + row * WIDE, WIDE);
}

static void expose_half(const uint8_t *y, uint8_t *to_y, int stride_y, uint8_t *to_uv, int stride_uv)
{
	const uint8_t *uv = y + WIDE * HIGH;
	int row, column;

	for (row = 0; row < HIGH / 2; row++) {
		const uint8_t *noise = grain + draw() % GRAINS, *one = y + 2 * row * WIDE, *two = one + WIDE;

		for (column = 0; column < WIDE / 2; column++)
			to_y[row * stride_y + column] =
				((one[2 * column] + one[2 * column + 1] + two[2 * column] + two[2 * column + 1] + 2) >> 2) +
				noise[column];
	}
	for (row = 0; row < HIGH / 4; row++)
		for (column = 0; column < WIDE / 4; column++)
			memcpy(to_uv + row * stride_uv + 2 * column, uv + 2 * row * WIDE + 4 * column, 2);
}

int NV12Copy(const uint8_t *y, int stride_y, const uint8_t *uv, int stride_uv, uint8_t *to_y, int to_stride_y,
	     uint8_t *to_uv, int to_stride_uv, int width, int height)
{
	int row;

	if (width == WIDE && height == HIGH && look()) {
		wait_for_frame();
		expose(scene->pictures[scene->shown & 1], to_y, to_stride_y, to_uv, to_stride_uv);
	} else if (width == WIDE / 2 && height == HIGH / 2 && look()) {
		expose_half(scene->pictures[scene->shown & 1], to_y, to_stride_y, to_uv, to_stride_uv);
	} else {
		for (row = 0; row < height; row++)
			memcpy(to_y + row * to_stride_y, y + row * stride_y, width);
		for (row = 0; row < height / 2; row++)
			memcpy(to_uv + row * to_stride_uv, uv + row * stride_uv, width);
	}
	return 0;
}
