import { useId, useMemo } from 'react'
import { classNames } from './class-names.ts'
import styles from './platter.module.css'
import { seededRandom } from './seeded.ts'

const CENTRE = 200
const LABEL_RADIUS = 66

const ring = (x: number, y: number, radius: number) =>
  `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
const rings = (x: number, y: number, from: number, to: number, step: number) => {
  let path = ''
  for (let radius = from; radius < to; radius += step) path += ring(x, y, Number(radius.toFixed(2)))
  return path
}

const fineGrooves = rings(CENTRE, CENTRE, 76, 162, 2.9)
const bandGrooves = rings(CENTRE, CENTRE, 90.5, 162, 23.2)

/** The rim's rows of dots, as on a turntable: radius, dots in a turn, size. */
const strobe = [
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
 * The big record with its turning rim. Decoration: it has no name. About twenty nodes; what turns is a layer of its own,
 * so that a turn repaints nothing.
 */
export function Platter({ seed = 'varispeed', className }: { seed?: string; className?: string | undefined }) {
  const clip = useId()
  const label = useMemo(() => {
    const random = seededRandom(seed)
    const at = CENTRE - LABEL_RADIUS
    const colours = labelColours[Math.floor(random() * labelColours.length)] ?? labelColours[0]
    const first = rings(at + (0.24 + random() * 0.22) * 2 * LABEL_RADIUS, CENTRE + 3, 4.4, 130, 4.4)
    const second = rings(at + (0.56 + random() * 0.2) * 2 * LABEL_RADIUS, CENTRE - 3, 4.4, 130, 4.4)
    return { colours, first, second }
  }, [seed])

  return (
    <div className={classNames(styles.platter, className)} aria-hidden="true">
      <svg className={styles.disc} viewBox="0 0 400 400" aria-hidden="true">
        <circle className={styles.vinyl} cx={CENTRE} cy={CENTRE} r="164" />
        <path className={styles.fine} d={fineGrooves} />
        <path className={styles.band} d={bandGrooves} />
        <clipPath id={clip}>
          <circle cx={CENTRE} cy={CENTRE} r={LABEL_RADIUS} />
        </clipPath>
        <g className={styles.label} clipPath={`url(#${clip})`}>
          <circle cx={CENTRE} cy={CENTRE} r={LABEL_RADIUS} fill={label.colours[0]} />
          <path d={label.first} stroke={label.colours[1]} />
          <path d={label.second} stroke={label.colours[2]} />
        </g>
        <circle className={styles.labelEdge} cx={CENTRE} cy={CENTRE} r={LABEL_RADIUS} />
        <circle className={styles.hole} cx={CENTRE} cy={CENTRE} r="4.5" />
      </svg>
      <span className={styles.sheen} />
      <svg className={styles.rim} viewBox="0 0 400 400" aria-hidden="true">
        {strobe.map(([radius, count, size], row) => (
          <circle
            key={radius}
            className={row === 1 ? styles.lit : undefined}
            cx={CENTRE}
            cy={CENTRE}
            r={radius}
            pathLength={count}
            strokeDasharray="0 1"
            strokeWidth={size}
          />
        ))}
      </svg>
    </div>
  )
}
