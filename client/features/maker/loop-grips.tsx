import type { KeyboardEvent } from 'react'
import { classNames } from '../../ui/class-names.ts'
import typeStyles from '../../ui/type.module.css'
import { followPointer } from './follow-drag.ts'
import styles from './loop-grips.module.css'
import { isWholeLoop, MIN_LOOP_S } from './loop-range.ts'
import type { Engine, LoopRange } from './use-maker.ts'
import { formatClock, type VisibleRange } from './wave-view.ts'

const KEY_PRESS_STEP_S = 0.1
const FINE_KEY_PRESS_STEP_S = 0.01
const COARSE_KEY_PRESS_STEP_S = 1

interface LoopGripsProps {
  engine: Engine
  loop: LoopRange
  durationS: number
  playbackRate: number
  view: VisibleRange
  findTimeAt: (event: { clientX: number }) => number
  /** Called when a grip is focused or moved with the keyboard. */
  onKeyboardMove: (sourceS: number) => void
}

/** Renders the loop range with a slider at each end, which is dragged or moved with the arrow keys. */
export function LoopGrips({ engine, loop, durationS, playbackRate, view, findTimeAt, onKeyboardMove }: LoopGripsProps) {
  const toPercent = (sourceS: number) => (100 * (sourceS - view.startS)) / (view.endS - view.startS)
  const moveGrip = (loopEnd: 'startS' | 'endS', newTimeS: number) => {
    const limitedTimeS =
      loopEnd === 'startS'
        ? Math.max(0, Math.min(newTimeS, loop.endS - MIN_LOOP_S))
        : Math.min(durationS, Math.max(newTimeS, loop.startS + MIN_LOOP_S))
    engine.setLoop({ ...loop, [loopEnd]: limitedTimeS })
    return limitedTimeS
  }
  const leftPercent = Math.max(0, toPercent(loop.startS))
  const rightPercent = Math.min(100, toPercent(loop.endS))
  return (
    <>
      {/* A loop that covers the whole song is not tinted, because no part of the song is outside of it. */}
      {!isWholeLoop(loop, durationS) && rightPercent > leftPercent && (
        <div className={styles.range} style={{ left: `${leftPercent}%`, width: `${rightPercent - leftPercent}%` }} />
      )}
      {(['startS', 'endS'] as const).map((boundaryName) => {
        const percent = toPercent(loop[boundaryName])
        const onKeyDown = (event: KeyboardEvent) => {
          const stepS = event.key.startsWith('Page') ? COARSE_KEY_PRESS_STEP_S : event.shiftKey ? FINE_KEY_PRESS_STEP_S : KEY_PRESS_STEP_S
          const timeByKey = {
            ArrowLeft: loop[boundaryName] - stepS,
            ArrowDown: loop[boundaryName] - stepS,
            PageDown: loop[boundaryName] - stepS,
            ArrowRight: loop[boundaryName] + stepS,
            ArrowUp: loop[boundaryName] + stepS,
            PageUp: loop[boundaryName] + stepS,
            Home: 0,
            End: durationS,
          }[event.key]
          if (timeByKey === undefined) return
          event.preventDefault()
          onKeyboardMove(moveGrip(boundaryName, timeByKey))
        }
        return (
          <div
            key={boundaryName}
            role="slider"
            tabIndex={0}
            className={classNames(styles.grip, styles[boundaryName])}
            style={{ left: `${Math.min(100, Math.max(0, percent))}%` }}
            // A grip outside of the visible range stays focusable.
            data-away={percent < 0 || percent > 100 || undefined}
            aria-label={boundaryName === 'startS' ? 'Loop start' : 'Loop end'}
            aria-valuemin={0}
            aria-valuemax={durationS}
            aria-valuenow={loop[boundaryName]}
            aria-valuetext={formatClock(loop[boundaryName] / playbackRate)}
            onKeyDown={onKeyDown}
            onFocus={(event) => {
              if (event.currentTarget.matches(':focus-visible')) onKeyboardMove(loop[boundaryName])
            }}
            onPointerDown={(event) => {
              event.stopPropagation()
              const onMove = (moveEvent: { clientX: number }) => moveGrip(boundaryName, findTimeAt(moveEvent))
              if (followPointer(event, { onMove })) onMove(event)
            }}
          >
            <span className={classNames(styles.name, typeStyles.mono)} aria-hidden="true">
              {boundaryName === 'startS' ? 'Loop in' : 'out'}
            </span>
          </div>
        )
      })}
    </>
  )
}
