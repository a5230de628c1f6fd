import type { KeyboardEvent } from 'react'
import type { Engine, LoopRange } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import { followPointer } from './follow-pointer.ts'
import styles from './loop-grips.module.css'
import { formatClock, type View } from './wave-view.ts'

const STEP_S = 0.1
const COARSE_STEP_S = 1
/** Nearer to each other they would be one tone. */
const SHORTEST_S = 0.05

interface LoopGripsProps {
  engine: Engine
  loop: LoopRange
  durationS: number
  rate: number
  view: View
  timeAt: (event: { clientX: number }) => number
  /** A grip has the focus by keys, or was moved by them to this place. */
  onKeysTo: (sourceS: number) => void
}

/** The part that is played over and over, with a grip at each end: dragged, or moved by the arrow keys. */
export function LoopGrips({ engine, loop, durationS, rate, view, timeAt, onKeysTo }: LoopGripsProps) {
  const at = (sourceS: number) => (100 * (sourceS - view.startS)) / (view.endS - view.startS)
  const set = (end: 'startS' | 'endS', toS: number) => {
    const limited =
      end === 'startS' ? Math.max(0, Math.min(toS, loop.endS - SHORTEST_S)) : Math.min(durationS, Math.max(toS, loop.startS + SHORTEST_S))
    engine.setLoop({ ...loop, [end]: limited })
    return limited
  }
  const left = Math.max(0, at(loop.startS))
  const right = Math.min(100, at(loop.endS))
  return (
    <>
      {right > left && <div className={styles.range} style={{ left: `${left}%`, width: `${right - left}%` }} />}
      {(['startS', 'endS'] as const).map((end) => {
        const place = at(loop[end])
        const onKeyDown = (event: KeyboardEvent) => {
          const step = event.key.startsWith('Page') || event.shiftKey ? COARSE_STEP_S : STEP_S
          const to = {
            ArrowLeft: loop[end] - step,
            ArrowDown: loop[end] - step,
            PageDown: loop[end] - step,
            ArrowRight: loop[end] + step,
            ArrowUp: loop[end] + step,
            PageUp: loop[end] + step,
            Home: 0,
            End: durationS,
          }[event.key]
          if (to === undefined) return
          event.preventDefault()
          onKeysTo(set(end, to))
        }
        return (
          <div
            key={end}
            role="slider"
            tabIndex={0}
            className={classNames(styles.grip, styles[end])}
            style={{ left: `${Math.min(100, Math.max(0, place))}%` }}
            // Out of the view, keys still reach it.
            data-away={place < 0 || place > 100 || undefined}
            aria-label={end === 'startS' ? 'Loop start' : 'Loop end'}
            aria-valuemin={0}
            aria-valuemax={durationS}
            aria-valuenow={loop[end]}
            aria-valuetext={formatClock(loop[end] / rate)}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              if (event.currentTarget.matches(':focus-visible')) onKeysTo(loop[end])
            }}
            onPointerDown={(event) => {
              event.stopPropagation()
              followPointer(event, (moved) => set(end, timeAt(moved)))
            }}
          >
            <span className={classNames(styles.name, typeStyles.mono)} aria-hidden="true">
              {end === 'startS' ? 'Loop in' : 'out'}
            </span>
          </div>
        )
      })}
    </>
  )
}
