/** Frames per second of every video. */
export const FRAME_RATE = 30
/** Frames from one key frame to the next: half a second. */
export const GOP_FRAMES = 15
/** The sampling rate of the sound in a video. */
export const VIDEO_SAMPLE_RATE = 48_000
export const SAMPLES_PER_PICTURE = VIDEO_SAMPLE_RATE / FRAME_RATE
/** Samples per channel in one packet of AAC. */
export const AAC_PACKET_FRAMES = 1024

const AAC_DELAY_PACKET_COUNT = 1
/**
 * The encoder's delay: the sound begins in the second packet. The first packet is not removed by an edit list, because some platforms
 * ignore edit lists. Instead, the pictures are delayed by the same time.
 */
export const AAC_DELAY_FRAMES = AAC_DELAY_PACKET_COUNT * AAC_PACKET_FRAMES

/** Returns the number of AAC packets for a sound of `frames` frames, including the encoder's delay. */
export const countAacPackets = (frames: number): number => Math.ceil((frames + AAC_DELAY_FRAMES) / AAC_PACKET_FRAMES)

/**
 * Returns the number of pictures that are shown while `frames` of sound play, including the last picture, which may be shown a little
 * longer than the sound.
 */
export const countPictures = (frames: number): number => Math.max(1, Math.ceil(frames / SAMPLES_PER_PICTURE))

/** The length of a glide, the slow movement of a picture, in seconds. At its end, the picture is where it began. */
export const PICTURE_GLIDE_SECONDS = 24

/** The longest cycle in seconds whose encoded pictures are held in memory and written again. */
const MAX_STORED_CYCLE_S = 32

/** A loop is repeated until the length of the repetitions differs from whole seconds by at most this share of that length. */
const MAX_STRETCH_RATIO = 0.02

/**
 * Returns the number of pictures in a cycle: one or more repetitions of a loop of `loopS` seconds, after which the encoded pictures are
 * used again. A cycle has an even number of groups of pictures: the encoder alternates between two ids for key frames, and successive key
 * frames must have different ids. The loop is played up to 2 % faster or slower to fit the cycle. `undefined` if the cycle is too long to
 * be held in memory.
 */
export function countPicturesPerCycle(loopS: number): number | undefined {
  const gopPairFrames = 2 * GOP_FRAMES
  if (loopS <= 0) return gopPairFrames
  for (let loops = 1; loops * loopS <= MAX_STORED_CYCLE_S; loops++) {
    const seconds = Math.round((loops * loopS * FRAME_RATE) / gopPairFrames)
    if (seconds > 0 && Math.abs(seconds - loops * loopS) <= MAX_STRETCH_RATIO * loops * loopS) return seconds * gopPairFrames
  }
  return undefined
}
