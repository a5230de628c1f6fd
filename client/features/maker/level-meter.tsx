import { useLayoutEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import styles from './level-meter.module.css'
import { type Engine, useMakerPosition } from './use-maker.ts'

const LOWEST_SHOWN_DB = -48
/** The decay of the bars in dB per second, so that short peaks stay visible. */
const FALL_DB_PER_S = 24
const PEAK_HOLD_MS = 1500
const SILENCE_TEXT = '−∞ dB'

const createSilentLevels = () => ({ db: [-Infinity, -Infinity] as [number, number], atMs: 0, highestDb: -Infinity, highestAtMs: 0 })

/**
 * Shows the peak levels of the left and the right channel of the preview, and the highest recent level as a number. They are updated in
 * every animation frame, without a React render.
 */
export function LevelMeter({ engine, isPlaying: playing }: { engine: Engine; isPlaying: boolean }) {
  const barsElement = useRef<HTMLDivElement>(null)
  const levelTextRef = useRef<HTMLSpanElement>(null)
  const shownLevels = useRef(createSilentLevels())
  useMakerPosition(engine, ({ peakDb }) => {
    const lastLevels = shownLevels.current
    const nowMs = performance.now()
    const fallDb = ((nowMs - lastLevels.atMs) / 1000) * FALL_DB_PER_S
    lastLevels.atMs = nowMs
    for (const side of [0, 1] as const) {
      lastLevels.db[side] = Math.max(peakDb[side], lastLevels.db[side] - fallDb)
      barsElement.current?.style.setProperty(
        `--level-${side}`,
        String(Math.max(0, 1 - Math.max(LOWEST_SHOWN_DB, lastLevels.db[side]) / LOWEST_SHOWN_DB)),
      )
    }
    const highestDb = Math.max(...peakDb)
    if (highestDb >= lastLevels.highestDb || nowMs - lastLevels.highestAtMs > PEAK_HOLD_MS) {
      lastLevels.highestDb = highestDb
      lastLevels.highestAtMs = nowMs
      if (levelTextRef.current)
        levelTextRef.current.textContent = highestDb < LOWEST_SHOWN_DB ? SILENCE_TEXT : `${highestDb.toFixed(1).replace('-', '−')} dB`
    }
  })
  useLayoutEffect(() => {
    if (playing) return
    // During playback, position events let the bars decay. Without playback there are no such events, so the bars are cleared here.
    shownLevels.current = createSilentLevels()
    for (const side of [0, 1]) barsElement.current?.style.setProperty(`--level-${side}`, '0')
    if (levelTextRef.current) levelTextRef.current.textContent = SILENCE_TEXT
  }, [playing])
  return (
    <div className={styles.meter} aria-hidden="true">
      <div ref={barsElement} className={styles.bars}>
        <i />
        <i />
      </div>
      <span ref={levelTextRef} className={classNames(typeStyles.mono, styles.figure)}>
        {SILENCE_TEXT}
      </span>
    </div>
  )
}
