/** The maximum length of a segment in output frames, a multiple of CELL_FRAMES. */
export const SEGMENT_FRAMES = 2 ** 17
