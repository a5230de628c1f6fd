/** Frames per second of every video. */
export const FRAME_RATE = 30
/** Frames from one key frame to the next: half a second. */
export const GOP_FRAMES = 15
/** The sampling rate of the sound in a video. */
export const VIDEO_SAMPLE_RATE = 48_000
export const SAMPLES_PER_PICTURE = VIDEO_SAMPLE_RATE / FRAME_RATE
/** Samples per channel in one packet of AAC. */
export const AAC_PACKET_FRAMES = 1024

const DELAY_PACKETS = 1
/**
 * The encoder's delay: the sound begins in the second packet. No edit list removes the first one, because some platforms ignore edit lists, so
 * the picture starts as much earlier in the sound.
 */
export const AAC_DELAY_FRAMES = DELAY_PACKETS * AAC_PACKET_FRAMES

/** Returns the number of packets of AAC that hold `frames` of sound. */
export const countAacPackets = (frames: number): number => Math.ceil((frames + AAC_DELAY_FRAMES) / AAC_PACKET_FRAMES)

/** Returns the number of pictures that are shown while `frames` of sound play, the last one perhaps a little longer than the sound. */
export const countPictures = (frames: number): number => Math.max(1, Math.ceil(frames / SAMPLES_PER_PICTURE))

/** The length of a glide in seconds, after which the picture is where it began. */
export const GLIDE_SECONDS = 24

/** The longest loop in seconds whose encoded pictures are held in memory and written again. */
const MAX_CYCLE_S = 32

/** A loop is repeated until its end is at most this share of its length from a whole second. */
const MAX_STRETCH = 0.02

/**
 * Returns after how many pictures a loop of `loopS` seconds repeats, an even number of groups of pictures: two key frames that follow each other must differ in their
 * ids, and the encoder alternates these. The loop is played up to 2 % faster or slower to fit. `undefined` if the loop is too long to be held in memory.
 */
export function countPicturesPerCycle(loopS: number): number | undefined {
  const secondFrames = 2 * GOP_FRAMES
  if (loopS <= 0) return secondFrames
  for (let loops = 1; loops * loopS <= MAX_CYCLE_S; loops++) {
    const seconds = Math.round((loops * loopS * FRAME_RATE) / secondFrames)
    if (seconds > 0 && Math.abs(seconds - loops * loopS) <= MAX_STRETCH * loops * loopS) return seconds * secondFrames
  }
  return undefined
}
