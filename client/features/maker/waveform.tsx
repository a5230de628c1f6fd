import {
  type Dispatch,
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { addListener } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { followDrag } from './follow-drag.ts'
import { LoopGrips } from './loop-grips.tsx'
import { createLoopBetween, isWholeLoop } from './loop-range.ts'
import { type Engine, type EngineState, type LoadedSound, type LoopRange, useMakerPosition } from './use-maker.ts'
import { computeTickTimes, formatClock, moveView, type VisibleRange, zoomView } from './wave-view.ts'
import styles from './waveform.module.css'
import { createWaveformPainter } from './waveform-painter.ts'

const ZOOM_FACTOR = 2
const WHEEL_ZOOM_FACTOR = 1.2
const KEY_PRESS_STEP_S = 1
const FINE_KEY_PRESS_STEP_S = 0.1
const TIME_LABEL_WIDTH_PX = 90

interface WaveformProps {
  engine: Engine
  sound: LoadedSound
  state: EngineState
}

/**
 * Renders the waveform: an overview, a scale of playback times, and the visible range with play head and loop. A press seeks, a drag sets
 * the loop, the wheel scrolls, and the wheel with Ctrl zooms.
 */
export function Waveform({ engine, sound, state }: WaveformProps) {
  const { durationS } = sound
  /** The loop that a drag would set. The engine plays it once the drag has ended. */
  const [draggedLoop, setDraggedLoop] = useState<LoopRange>()
  const shownLoop = draggedLoop ?? state.loop
  const playbackRate = state.monitor === 'edited' ? state.rate : 1
  const [visibleRange, setVisibleRange] = useState<VisibleRange>({ startS: 0, endS: durationS })
  /** The visible range of the last render. A drag reads it, because the wheel can scroll or zoom during the drag. */
  const currentView = useRef(visibleRange)
  useLayoutEffect(() => {
    currentView.current = visibleRange
  }, [visibleRange])
  const waveElement = useRef<HTMLDivElement>(null)
  const playHeadRef = useRef<HTMLDivElement>(null)
  const clockRef = useRef<HTMLSpanElement>(null)
  const seekerInput = useRef<HTMLInputElement>(null)
  const positionS = useRef(0)
  const isWholeSoundShown = visibleRange.endS - visibleRange.startS >= durationS
  const isTimeShown = (sourceTimeS: number) => sourceTimeS >= visibleRange.startS && sourceTimeS <= visibleRange.endS
  /** Scrolls to a position that was reached with the keyboard. */
  const revealPosition = (sourceTimeS: number) => {
    const lengthS = visibleRange.endS - visibleRange.startS
    if (!isTimeShown(sourceTimeS)) setVisibleRange(moveView(sourceTimeS - lengthS / 2, lengthS, durationS))
  }

  const [waveCanvas, moveWave, waveWidth] = useWaveCanvas(sound, visibleRange, shownLoop, 2)
  const [overviewCanvas, moveOverview] = useWaveCanvas(sound, { startS: 0, endS: durationS }, shownLoop, 1)

  const showPlayHead = useCallback(
    (sourceTimeS: number) => {
      const playHeadShare = (sourceTimeS - visibleRange.startS) / (visibleRange.endS - visibleRange.startS)
      if (playHeadRef.current) {
        playHeadRef.current.style.left = `${playHeadShare * 100}%`
        playHeadRef.current.hidden = playHeadShare < 0 || playHeadShare > 1
        playHeadRef.current.toggleAttribute('data-late', playHeadShare > 0.9)
      }
      if (clockRef.current) clockRef.current.textContent = formatClock(sourceTimeS / playbackRate)
      if (seekerInput.current) {
        seekerInput.current.value = String(sourceTimeS)
        seekerInput.current.setAttribute(
          'aria-valuetext',
          `${formatClock(sourceTimeS / playbackRate)} of ${formatClock(durationS / playbackRate)}`,
        )
      }
      moveWave(sourceTimeS)
      moveOverview(sourceTimeS)
    },
    [visibleRange, playbackRate, durationS, moveWave, moveOverview],
  )
  useMakerPosition(engine, ({ sourceS }) => {
    const wasPositionShown = isTimeShown(positionS.current)
    positionS.current = sourceS
    // The visible range moves so that the play head stays visible, unless the person has scrolled away from the play head.
    const lengthS = visibleRange.endS - visibleRange.startS
    if (wasPositionShown && !isTimeShown(sourceS) && !waveElement.current?.matches(':active'))
      setVisibleRange(moveView(sourceS - lengthS * 0.05, lengthS, durationS))
    showPlayHead(sourceS)
  })
  useLayoutEffect(() => showPlayHead(positionS.current), [showPlayHead])

  const findTimeAt = (event: { clientX: number }, viewRange = currentView.current, element: Element | null = waveElement.current) => {
    const { left, width: widthPx } = element?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return viewRange.startS + Math.min(1, Math.max(0, (event.clientX - left) / widthPx)) * (viewRange.endS - viewRange.startS)
  }
  const pressOrDrag = (event: ReactPointerEvent<HTMLElement>) => {
    const pressTimeS = findTimeAt(event)
    let newLoop = state.loop
    followDrag(event, {
      onPress: () => engine.seek(pressTimeS),
      onDrag(moveEvent) {
        newLoop = createLoopBetween(pressTimeS, findTimeAt(moveEvent), durationS)
        setDraggedLoop(newLoop)
      },
      onDrop() {
        engine.setLoop(newLoop)
        setDraggedLoop(undefined)
      },
      onCancel: () => setDraggedLoop(undefined),
    })
  }
  const seekBy = (event: KeyboardEvent) => {
    const seekTargetS = computeSeekTarget(event, positionS.current, durationS)
    if (seekTargetS === undefined) return
    event.preventDefault()
    engine.seek(seekTargetS)
    revealPosition(seekTargetS)
  }
  const zoomBy = (zoomFactor: number) => {
    const aroundS = isTimeShown(positionS.current) ? positionS.current : (visibleRange.startS + visibleRange.endS) / 2
    setVisibleRange(zoomView(visibleRange, zoomFactor, aroundS, durationS))
  }

  useWheelView(waveElement, durationS, setVisibleRange)

  const wholeView = { startS: 0, endS: durationS }
  const seekInOverview = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const atS = findTimeAt(event, wholeView, event.currentTarget)
    engine.seek(atS)
    setVisibleRange(({ startS, endS }) => moveView(atS - (endS - startS) / 2, endS - startS, durationS))
  }
  return (
    <section ref={waveElement} className={styles.box} aria-label="Waveform">
      <div className={styles.overview} onPointerDown={seekInOverview}>
        <canvas ref={overviewCanvas} className={styles.canvas} />
        {!isWholeSoundShown && (
          <span
            className={styles.window}
            style={{
              left: toPercentOfView(visibleRange.startS, wholeView),
              width: `${((visibleRange.endS - visibleRange.startS) / durationS) * 100}%`,
            }}
          />
        )}
      </div>
      <div className={classNames(styles.scale, typeStyles.mono)} aria-hidden="true">
        {computeTickTimes(visibleRange, playbackRate, Math.max(2, waveWidth / TIME_LABEL_WIDTH_PX)).map((tickTimeS) => (
          <span key={tickTimeS} className={styles.tick} style={{ left: toPercentOfView(tickTimeS * playbackRate, visibleRange) }}>
            {formatClock(tickTimeS).replace(/\.00$/, '')}
          </span>
        ))}
      </div>
      <div className={styles.wave} onPointerDown={pressOrDrag}>
        <canvas ref={waveCanvas} className={styles.canvas} />
        <input
          ref={seekerInput}
          type="range"
          className={styles.seeker}
          aria-label="Position"
          min={0}
          max={durationS}
          step="any"
          defaultValue={0}
          onKeyDown={seekBy}
          // Handles change events too, because screen readers change the value without key events.
          onChange={(event) => engine.seek(event.currentTarget.valueAsNumber)}
        />
        {shownLoop.on && (
          <LoopGrips
            engine={engine}
            loop={shownLoop}
            durationS={durationS}
            playbackRate={playbackRate}
            view={visibleRange}
            findTimeAt={findTimeAt}
            onKeyboardMove={revealPosition}
          />
        )}
        {/* The canvas is hidden from screen readers, because the position slider has the same value. */}
        <div ref={playHeadRef} className={styles.head} aria-hidden="true">
          <span ref={clockRef} className={classNames(styles.clock, typeStyles.mono)} />
        </div>
      </div>
      <div className={styles.zoom}>
        {shownLoop.on && isWholeLoop(shownLoop, durationS) && (
          <span className={classNames(styles.hint, typeStyles.legend)}>Drag to loop a part</span>
        )}
        <ZoomButtons view={visibleRange} durationS={durationS} onZoom={zoomBy} />
      </div>
    </section>
  )
}

const toPercentOfView = (sourceS: number, { startS, endS }: VisibleRange) => `${((sourceS - startS) / (endS - startS)) * 100}%`

/** Returns the position to which a key seeks, in seconds; `undefined` for other keys. */
function computeSeekTarget({ key, shiftKey }: KeyboardEvent, positionS: number, durationS: number): number | undefined {
  const stepS = shiftKey ? FINE_KEY_PRESS_STEP_S : KEY_PRESS_STEP_S
  const targetTimeS = {
    ArrowLeft: positionS - stepS,
    ArrowDown: positionS - stepS,
    ArrowRight: positionS + stepS,
    ArrowUp: positionS + stepS,
    PageDown: positionS - durationS / 10,
    PageUp: positionS + durationS / 10,
    Home: 0,
    End: durationS,
  }[key]
  return targetTimeS === undefined ? undefined : Math.min(durationS, Math.max(0, targetTimeS))
}

function ZoomButtons({ view, durationS, onZoom }: { view: VisibleRange; durationS: number; onZoom: (factor: number) => void }) {
  const lengthS = view.endS - view.startS
  return (
    <>
      <IconButton icon="minus" label="Zoom out" disabled={lengthS >= durationS} onClick={() => onZoom(ZOOM_FACTOR)} />
      <IconButton icon="plus" label="Zoom in" disabled={lengthS <= Math.min(0.5, durationS)} onClick={() => onZoom(1 / ZOOM_FACTOR)} />
    </>
  )
}

/** A horizontal movement of the wheel scrolls the waveform; the wheel with Control or Command zooms it. */
function useWheelView(ref: RefObject<HTMLElement | null>, durationS: number, setView: Dispatch<SetStateAction<VisibleRange>>): void {
  // The listener is added without React, whose wheel listeners are passive and cannot prevent the page from zooming.
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      const scrollDeltaX = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0
      if (!event.ctrlKey && !event.metaKey && scrollDeltaX === 0) return
      event.preventDefault()
      const { left, width: widthPx } = element.getBoundingClientRect()
      setView((view) => {
        const lengthS = view.endS - view.startS
        if (event.ctrlKey || event.metaKey)
          return zoomView(
            view,
            event.deltaY > 0 ? WHEEL_ZOOM_FACTOR : 1 / WHEEL_ZOOM_FACTOR,
            view.startS + ((event.clientX - left) / widthPx) * lengthS,
            durationS,
          )
        return moveView(view.startS + (scrollDeltaX / widthPx) * lengthS, lengthS, durationS)
      })
    }
    return addListener(element, 'wheel', onWheel, { passive: false })
  }, [ref, durationS, setView])
}

/**
 * Returns the width and height of an element in CSS pixels, 0 at first. They are read after the browser's layout, so that reading them does
 * not force a layout.
 */
function useElementSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [sizePx, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return sizePx
}

/** Returns a canvas that shows a range of the sound, the function that moves its play head outside of React, and the width of the canvas. */
function useWaveCanvas({ peaks, sampleRate }: LoadedSound, { startS, endS }: VisibleRange, loop: LoopRange, barPx: number) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const waveformPainter = useRef<ReturnType<typeof createWaveformPainter>>(undefined)
  const { width, height } = useElementSize(canvas)
  const movePlayHead = useCallback((sourceS: number) => waveformPainter.current?.moveHead(sourceS), [])
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return
    waveformPainter.current ??= createWaveformPainter(canvas.current, barPx)
    waveformPainter.current.show({ peaks, sampleRate, view: { startS, endS }, loop, width, height })
  }, [peaks, sampleRate, startS, endS, loop, width, height, barPx])
  return [canvas, movePlayHead, width] as const
}
