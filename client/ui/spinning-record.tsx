import { useId, useMemo } from 'react'
import { createSeededRandom } from '../primitives/seeded-random.ts'
import { classNames } from './class-names.ts'
import styles from './spinning-record.module.css'

const PLATTER_CENTRE = 200
const LABEL_RADIUS = 66

const drawRingPath = (x: number, y: number, radius: number) =>
  `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
const drawRingsPath = (x: number, y: number, innerRadius: number, outerRadius: number, radiusStep: number) => {
  let path = ''
  for (let radius = innerRadius; radius < outerRadius; radius += radiusStep) path += drawRingPath(x, y, Number(radius.toFixed(2)))
  return path
}

const fineGrooves = drawRingsPath(PLATTER_CENTRE, PLATTER_CENTRE, 76, 162, 2.9)
const bandGrooves = drawRingsPath(PLATTER_CENTRE, PLATTER_CENTRE, 90.5, 162, 23.2)

/** The rows of strobe dots on the rim of the turntable; each entry is radius, number of dots, and dot size. */
const strobeRows = [
  [196, 120, 5.2],
  [187, 112, 4.4],
  [178, 104, 3.8],
  [170, 96, 3.2],
] as const

const labelColours = [
  ['var(--art-1)', 'var(--art-5)', 'var(--art-3)'],
  ['var(--art-3)', 'var(--art-1)', 'var(--art-2)'],
] as const

/**
 * A decorative record on a turntable, hidden from screen readers. It turns while music plays. The rotating rim is a compositor layer of its
 * own, so that the animation causes no repaint.
 */
export function SpinningRecord({ seed = 'varispeed', className }: { seed?: string; className?: string | undefined }) {
  const clipId = useId()
  const labelArt = useMemo(() => {
    const nextRandom = createSeededRandom(seed)
    const labelLeft = PLATTER_CENTRE - LABEL_RADIUS
    const recordColours = labelColours[Math.floor(nextRandom() * labelColours.length)] ?? labelColours[0]
    const firstRings = drawRingsPath(labelLeft + (0.24 + nextRandom() * 0.22) * 2 * LABEL_RADIUS, PLATTER_CENTRE + 3, 4.4, 130, 4.4)
    const secondRings = drawRingsPath(labelLeft + (0.56 + nextRandom() * 0.2) * 2 * LABEL_RADIUS, PLATTER_CENTRE - 3, 4.4, 130, 4.4)
    return { colours: recordColours, firstRings, secondRings }
  }, [seed])

  return (
    <div className={classNames(styles.platter, className)} aria-hidden="true">
      <svg className={styles.disc} viewBox="0 0 400 400" aria-hidden="true">
        <circle className={styles.vinyl} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r="164" />
        <path className={styles.fine} d={fineGrooves} />
        <path className={styles.band} d={bandGrooves} />
        <clipPath id={clipId}>
          <circle cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r={LABEL_RADIUS} />
        </clipPath>
        <g className={styles.label} clipPath={`url(#${clipId})`}>
          <circle cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r={LABEL_RADIUS} fill={labelArt.colours[0]} />
          <path d={labelArt.firstRings} stroke={labelArt.colours[1]} />
          <path d={labelArt.secondRings} stroke={labelArt.colours[2]} />
        </g>
        <circle className={styles.labelEdge} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r={LABEL_RADIUS} />
        <circle className={styles.hole} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r="4.5" />
      </svg>
      <span className={styles.sheen} />
      <svg className={styles.rim} viewBox="0 0 400 400" aria-hidden="true">
        {strobeRows.map(([radius, dotCount, dotSize], rowIndex) => (
          <circle
            key={radius}
            className={rowIndex === 1 ? styles.lit : undefined}
            cx={PLATTER_CENTRE}
            cy={PLATTER_CENTRE}
            r={radius}
            pathLength={dotCount}
            strokeDasharray="0 1"
            strokeWidth={dotSize}
          />
        ))}
      </svg>
    </div>
  )
}
