import type { Level } from './use-maker.ts'

/** The loudness above which the video platform turns a sound down. It turns nothing up. */
const PLATFORM_LOUDNESS_LUFS = -14

const formatSigned = (value: number, digits = 1) => value.toFixed(digits).replace('-', '−')

/** Returns the loudness and the true peak of a sound. */
export const formatLevel = ({ lufs, truePeakDb }: Level): string =>
  truePeakDb === Number.NEGATIVE_INFINITY
    ? 'silence'
    : `${lufs === Number.NEGATIVE_INFINITY ? 'too quiet or short for a loudness' : `${formatSigned(lufs)} LUFS`}, true peak ${formatSigned(truePeakDb)} dBTP`

/** Returns what the video platform will do to a sound. */
export function describePlatformEffect({ lufs }: Level): string {
  const excessDb = lufs - PLATFORM_LOUDNESS_LUFS
  if (excessDb >= 0.05) return `The video platform will turn this down by ${excessDb.toFixed(1)}\u00a0dB.`
  if (excessDb > -0.05) return 'The video platform will leave this as it is.'
  return 'The video platform will leave this as it is: it turns nothing up.'
}
