import { useLayoutEffect, useRef } from 'react'
import { type Engine, useMakerPosition } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './level-meter.module.css'

const FLOOR_DB = -48
/** How fast the bars fall: a peak is seen, not only the moment after it. */
const FALL_DB_PER_S = 24
const HOLD_MS = 1500
const SILENCE = '−∞ dB'

const silent = () => ({ db: [-Infinity, -Infinity] as [number, number], atMs: 0, highestDb: -Infinity, highestAtMs: 0 })

/** The peaks of what is heard, left and right, and the highest of late in figures. Painted outside React. */
export function LevelMeter({ engine, playing }: { engine: Engine; playing: boolean }) {
  const bars = useRef<HTMLDivElement>(null)
  const figure = useRef<HTMLSpanElement>(null)
  const shown = useRef(silent())
  useMakerPosition(engine, ({ peakDb }) => {
    const last = shown.current
    const nowMs = performance.now()
    const fallDb = ((nowMs - last.atMs) / 1000) * FALL_DB_PER_S
    last.atMs = nowMs
    for (const side of [0, 1] as const) {
      last.db[side] = Math.max(peakDb[side], last.db[side] - fallDb)
      bars.current?.style.setProperty(`--level-${side}`, String(Math.max(0, 1 - Math.max(FLOOR_DB, last.db[side]) / FLOOR_DB)))
    }
    const highestDb = Math.max(...peakDb)
    if (highestDb >= last.highestDb || nowMs - last.highestAtMs > HOLD_MS) {
      last.highestDb = highestDb
      last.highestAtMs = nowMs
      if (figure.current) figure.current.textContent = highestDb < FLOOR_DB ? SILENCE : `${highestDb.toFixed(1).replace('-', '−')} dB`
    }
  })
  useLayoutEffect(() => {
    if (playing) return
    // What falls does so with the frames that are told, and none is told any more.
    shown.current = silent()
    for (const side of [0, 1]) bars.current?.style.setProperty(`--level-${side}`, '0')
    if (figure.current) figure.current.textContent = SILENCE
  }, [playing])
  return (
    <div className={styles.meter} aria-hidden="true">
      <div ref={bars} className={styles.bars}>
        <i />
        <i />
      </div>
      <span ref={figure} className={classNames(typeStyles.mono, styles.figure)}>
        {SILENCE}
      </span>
    </div>
  )
}
