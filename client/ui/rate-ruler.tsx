import { type CSSProperties, useMemo } from 'react'
import { classNames } from './class-names.ts'
import styles from './rate-ruler.module.css'
import { seededRandom } from './seeded.ts'
import typeStyles from './type.module.css'

const MIN_RATE = 0.5
const MAX_RATE = 2
const labelled = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2]

/** Where a rate lies on the ruler, 0 to 1: each octave is equally wide. */
const place = (rate: number) => Math.log2(rate / MIN_RATE) / Math.log2(MAX_RATE / MIN_RATE)
const percent = (rate: number) => `${(place(rate) * 100).toFixed(3)}%`

const ticks = Array.from({ length: 76 }, (_, index) => MIN_RATE + index * 0.02)
  .map((rate) => {
    const isLabelled = labelled.some((each) => Math.abs(each - rate) < 0.001)
    return `M${(place(rate) * 1000).toFixed(2)} 0v${isLabelled ? 12 : 6}`
  })
  .join('')

/** Heights of a wave's bars, 0 to 1: phrases, beats, and a break in the middle. */
function amplitudes(seed: string, count: number): number[] {
  const random = seededRandom(seed)
  const phase = random() * 6
  return Array.from({ length: count }, (_, index) => {
    const at = index / count
    const edge = Math.min(1, 0.3 + at * 6, (1 - at) * 9)
    const lull = at > 0.46 && at < 0.54 ? 0.35 : 1
    const phrase = 0.68 + 0.32 * Math.sin(at * 19 + phase)
    const beat = 0.55 + 0.45 * Math.abs(Math.cos(at * Math.PI * 64)) ** 1.5
    return Math.max(0.03, edge * lull * phrase * beat * (0.5 + 0.5 * random()))
  })
}

interface RateRulerProps {
  /** The rate that the needle points at; 1 is as recorded. */
  rate: number
  /** The range that is lit. */
  from: number
  to: number
  seed?: string
  className?: string
}

/**
 * A real scale of playback rates under a wave, the width of what holds it. A faster rate packs the wave's bars closer. The
 * needle starts at 1 and glides to its rate.
 */
export function RateRuler({ rate, from, to, seed = 'varispeed', className }: RateRulerProps) {
  const count = Math.round(300 * rate ** 1.6)
  const bars = useMemo(() => {
    const paths = { plain: '', hot: '' }
    for (const [index, height] of amplitudes(seed, count).entries()) {
      const at = (index + 0.5) / count
      const half = height * 46
      paths[at >= place(from) && at <= place(to) ? 'hot' : 'plain'] += `M${index + 0.5} ${(50 - half).toFixed(1)}v${(2 * half).toFixed(1)}`
    }
    return paths
  }, [seed, count, from, to])

  const style: CSSProperties & Record<`--${string}`, string> = { '--needle': percent(rate) }
  return (
    <div
      className={classNames(styles.strip, className)}
      style={style}
      role="img"
      aria-label={`A scale of playback rates: ${rate.toFixed(2)}× is marked, between ${from.toFixed(2)}× and ${to.toFixed(2)}×.`}
    >
      <svg className={styles.wave} viewBox={`0 0 ${count} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.plain} />
        <path className={styles.hot} d={bars.hot} />
      </svg>
      <div className={styles.rule} aria-hidden="true">
        <svg className={styles.ticks} viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
          <path d={ticks} />
        </svg>
        <span className={styles.band} style={{ left: percent(from), width: `${((place(to) - place(from)) * 100).toFixed(3)}%` }} />
        {labelled.map((each) => (
          <b key={each} className={classNames(typeStyles.legend, styles.mark)} style={{ left: percent(each) }}>
            {each.toFixed(1)}
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
