import { useId, useMemo } from 'react'
import { createSeededRandom } from '../primitives/seeded-random.ts'
import { classNames } from './class-names.ts'
import styles from './spinning-record.module.css'

const PLATTER_CENTRE = 200
const LABEL_RADIUS = 66
const LABEL_RING_DISTANCE = 4.4

/** The width of a groove as a share of the distance between grooves, and the share over which its edge fades, for a smooth outline. */
const GROOVE_WIDTH = 0.18
const GROOVE_EDGE = 0.09

interface RingsProps {
  id: string
  cx?: number
  cy?: number
  /** The distance between two rings, in units of the view box. */
  distance: number
  colour: string
}

/**
 * A gradient of concentric rings, whose first one has the radius `distance`. It is painted in a fraction of the time of as many circles, which take
 * longer than the rest of a page on a device without a graphics chip.
 */
function Rings({ id, cx = PLATTER_CENTRE, cy = PLATTER_CENTRE, distance, colour }: RingsProps) {
  const fullStart = 1 - GROOVE_WIDTH / 2
  const stops = [
    [0, 1],
    [GROOVE_WIDTH / 2, 1],
    [GROOVE_WIDTH / 2 + GROOVE_EDGE, 0],
    [fullStart - GROOVE_EDGE, 0],
    [fullStart, 1],
    [1, 1],
  ] as const
  return (
    <radialGradient id={id} gradientUnits="userSpaceOnUse" spreadMethod="repeat" cx={cx} cy={cy} r={distance}>
      {stops.map(([offset, opacity]) => (
        <stop key={offset} offset={offset} stopColor={colour} stopOpacity={opacity} />
      ))}
    </radialGradient>
  )
}

const FINE_GROOVE_DISTANCE = 2.9
const GROOVES_INNER_RADIUS = 74
const GROOVES_OUTER_RADIUS = 162
/** Every eighth groove is drawn brighter. */
const bandRadii = [31, 39, 47, 55].map((grooveNumber) => grooveNumber * FINE_GROOVE_DISTANCE)

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
  const id = useId()
  const labelArt = useMemo(() => {
    const nextRandom = createSeededRandom(seed)
    const labelLeft = PLATTER_CENTRE - LABEL_RADIUS
    const colours = labelColours[Math.floor(nextRandom() * labelColours.length)] ?? labelColours[0]
    const firstX = labelLeft + (0.24 + nextRandom() * 0.22) * 2 * LABEL_RADIUS
    const secondX = labelLeft + (0.56 + nextRandom() * 0.2) * 2 * LABEL_RADIUS
    return { colours, firstX, secondX }
  }, [seed])

  return (
    <div className={classNames(styles.platter, className)} aria-hidden="true">
      <svg className={styles.disc} viewBox="0 0 400 400" aria-hidden="true">
        <Rings id={`${id}f`} distance={FINE_GROOVE_DISTANCE} colour="var(--line)" />
        <Rings id={`${id}1`} cx={labelArt.firstX} cy={PLATTER_CENTRE + 3} distance={LABEL_RING_DISTANCE} colour={labelArt.colours[1]} />
        <Rings id={`${id}2`} cx={labelArt.secondX} cy={PLATTER_CENTRE - 3} distance={LABEL_RING_DISTANCE} colour={labelArt.colours[2]} />
        <circle className={styles.vinyl} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r="164" />
        <circle
          fill="none"
          stroke={`url(#${id}f)`}
          strokeWidth={GROOVES_OUTER_RADIUS - GROOVES_INNER_RADIUS}
          cx={PLATTER_CENTRE}
          cy={PLATTER_CENTRE}
          r={(GROOVES_OUTER_RADIUS + GROOVES_INNER_RADIUS) / 2}
        />
        {bandRadii.map((radius) => (
          <circle key={radius} className={styles.band} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r={radius} />
        ))}
        {[labelArt.colours[0], `url(#${id}1)`, `url(#${id}2)`].map((fill) => (
          <circle key={fill} cx={PLATTER_CENTRE} cy={PLATTER_CENTRE} r={LABEL_RADIUS} fill={fill} />
        ))}
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
