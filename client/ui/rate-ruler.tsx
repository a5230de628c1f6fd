import { type CSSProperties, useMemo } from 'react'
import { createSeededRandom } from '../primitives/seeded-random.ts'
import { classNames } from './class-names.ts'
import styles from './rate-ruler.module.css'
import typeStyles from './type.module.css'

const MIN_RATE = 0.5
const MAX_RATE = 2
const labelledRates = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2]

/** Returns the position of a playback rate on the ruler, 0 to 1, on a logarithmic scale: every octave has the same width. */
const computeRulerPosition = (rate: number) => Math.log2(rate / MIN_RATE) / Math.log2(MAX_RATE / MIN_RATE)
const formatRulerPercent = (rate: number) => `${(computeRulerPosition(rate) * 100).toFixed(3)}%`

const tickRates = Array.from({ length: 76 }, (_, index) => MIN_RATE + index * 0.02)
  .map((tickRate) => {
    const isLabelled = labelledRates.some((each) => Math.abs(each - tickRate) < 0.001)
    return `M${(computeRulerPosition(tickRate) * 1000).toFixed(2)} 0v${isLabelled ? 12 : 6}`
  })
  .join('')

/** Generates `amplitudeCount` bar heights between 0 and 1 that resemble the waveform of a song with phrases, beats and a break. */
function generateAmplitudes(seed: string, amplitudeCount: number): number[] {
  const nextRandom = createSeededRandom(seed)
  const phaseRadians = nextRandom() * 6
  return Array.from({ length: amplitudeCount }, (_, index) => {
    const indexShare = index / amplitudeCount
    const edgeFactor = Math.min(1, 0.3 + indexShare * 6, (1 - indexShare) * 9)
    const lullFactor = indexShare > 0.46 && indexShare < 0.54 ? 0.35 : 1
    const phraseFactor = 0.68 + 0.32 * Math.sin(indexShare * 19 + phaseRadians)
    const beatFactor = 0.55 + 0.45 * Math.abs(Math.cos(indexShare * Math.PI * 64)) ** 1.5
    return Math.max(0.03, edgeFactor * lullFactor * phraseFactor * beatFactor * (0.5 + 0.5 * nextRandom()))
  })
}

interface RateRulerProps {
  /** The playback rate to which the needle points; 1 is the original speed. */
  rate: number
  /** Lower end of the highlighted range, as a playback rate. */
  fromRate: number
  /** Upper end of the highlighted range, as a playback rate. */
  toRate: number
  seed?: string
  className?: string
}

/**
 * A drawing of a waveform above a logarithmic scale of playback rates, as wide as its container. With a faster rate, the bars of the
 * waveform are closer together. The needle animates from 1 to `rate`.
 */
export function RateRuler({ rate, fromRate, toRate, seed = 'varispeed', className }: RateRulerProps) {
  const barCount = Math.round(300 * rate ** 1.6)
  const barHeights = useMemo(() => {
    const svgPaths = { plain: '', hot: '' }
    for (const [index, barHeight] of generateAmplitudes(seed, barCount).entries()) {
      const barShare = (index + 0.5) / barCount
      const halfHeight = barHeight * 46
      svgPaths[barShare >= computeRulerPosition(fromRate) && barShare <= computeRulerPosition(toRate) ? 'hot' : 'plain'] +=
        `M${index + 0.5} ${(50 - halfHeight).toFixed(1)}v${(2 * halfHeight).toFixed(1)}`
    }
    return svgPaths
  }, [seed, barCount, fromRate, toRate])

  const style: CSSProperties & Record<`--${string}`, string> = { '--needle': formatRulerPercent(rate) }
  return (
    <div
      className={classNames(styles.strip, className)}
      style={style}
      role="img"
      aria-label={`A scale of playback rates: ${rate.toFixed(2)}× is marked, between ${fromRate.toFixed(2)}× and ${toRate.toFixed(2)}×.`}
    >
      <svg className={styles.wave} viewBox={`0 0 ${barCount} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path d={barHeights.plain} />
        <path className={styles.hot} d={barHeights.hot} />
      </svg>
      <div className={styles.rule} aria-hidden="true">
        <svg className={styles.ticks} viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
          <path d={tickRates} />
        </svg>
        <span
          className={styles.band}
          style={{
            left: formatRulerPercent(fromRate),
            width: `${((computeRulerPosition(toRate) - computeRulerPosition(fromRate)) * 100).toFixed(3)}%`,
          }}
        />
        {labelledRates.map((labelledRate) => (
          <b key={labelledRate} className={classNames(typeStyles.legend, styles.mark)} style={{ left: formatRulerPercent(labelledRate) }}>
            {labelledRate.toFixed(1)}
          </b>
        ))}
      </div>
      <div className={styles.travel} aria-hidden="true">
        <span className={styles.needle}>
          <b className={classNames(typeStyles.mono, styles.value)}>{rate.toFixed(2)}×</b>
        </span>
      </div>
    </div>
  )
}
