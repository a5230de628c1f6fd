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
import { listen } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { followDrag } from './follow-drag.ts'
import { LoopGrips } from './loop-grips.tsx'
import { isWholeLoop, loopBetween } from './loop-range.ts'
import { type Engine, type EngineState, type LoadedSound, type LoopRange, useMakerPosition } from './use-maker.ts'
import { formatClock, moveView, tickTimes, type VisibleRange, zoomView } from './wave-view.ts'
import styles from './waveform.module.css'
import { createWaveformPainter } from './waveform-painter.ts'

const ZOOM_FACTOR = 2
const WHEEL_ZOOM_FACTOR = 1.2
const STEP_S = 1
const FINE_STEP_S = 0.1
const LABEL_PX = 90

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
  const loop = draggedLoop ?? state.loop
  const rate = state.monitor === 'edited' ? state.rate : 1
  const [view, setView] = useState<VisibleRange>({ startS: 0, endS: durationS })
  /** The visible range of the last render. A drag reads it, because the wheel can scroll or zoom during the drag. */
  const currentView = useRef(view)
  useLayoutEffect(() => {
    currentView.current = view
  }, [view])
  const waveElement = useRef<HTMLDivElement>(null)
  const headRef = useRef<HTMLDivElement>(null)
  const clock = useRef<HTMLSpanElement>(null)
  const seeker = useRef<HTMLInputElement>(null)
  const positionS = useRef(0)
  const isWhole = view.endS - view.startS >= durationS
  const isShown = (sourceS: number) => sourceS >= view.startS && sourceS <= view.endS
  /** Scrolls to a position that was reached with the keyboard. */
  const revealPosition = (sourceS: number) => {
    const lengthS = view.endS - view.startS
    if (!isShown(sourceS)) setView(moveView(sourceS - lengthS / 2, lengthS, durationS))
  }

  const [waveCanvas, moveWave, width] = useWaveCanvas(sound, view, loop, 2)
  const [overviewCanvas, moveOverview] = useWaveCanvas(sound, { startS: 0, endS: durationS }, loop, 1)

  const showHead = useCallback(
    (sourceS: number) => {
      const headShare = (sourceS - view.startS) / (view.endS - view.startS)
      if (headRef.current) {
        headRef.current.style.left = `${headShare * 100}%`
        headRef.current.hidden = headShare < 0 || headShare > 1
        headRef.current.toggleAttribute('data-late', headShare > 0.9)
      }
      if (clock.current) clock.current.textContent = formatClock(sourceS / rate)
      if (seeker.current) {
        seeker.current.value = String(sourceS)
        seeker.current.setAttribute('aria-valuetext', `${formatClock(sourceS / rate)} of ${formatClock(durationS / rate)}`)
      }
      moveWave(sourceS)
      moveOverview(sourceS)
    },
    [view, rate, durationS, moveWave, moveOverview],
  )
  useMakerPosition(engine, ({ sourceS }) => {
    const wasShown = isShown(positionS.current)
    positionS.current = sourceS
    // The visible range moves so that the play head stays visible, unless the person has scrolled away from the play head.
    const lengthS = view.endS - view.startS
    if (wasShown && !isShown(sourceS) && !waveElement.current?.matches(':active'))
      setView(moveView(sourceS - lengthS * 0.05, lengthS, durationS))
    showHead(sourceS)
  })
  useLayoutEffect(() => showHead(positionS.current), [showHead])

  const timeAt = (event: { clientX: number }, inView = currentView.current, element: Element | null = waveElement.current) => {
    const { left, width: widthPx } = element?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return inView.startS + Math.min(1, Math.max(0, (event.clientX - left) / widthPx)) * (inView.endS - inView.startS)
  }
  const pressOrDrag = (event: ReactPointerEvent<HTMLElement>) => {
    const pressS = timeAt(event)
    let newLoop = state.loop
    followDrag(event, {
      onPress: () => engine.seek(pressS),
      onDrag(moveEvent) {
        newLoop = loopBetween(pressS, timeAt(moveEvent), durationS)
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
    const seekS = seekTarget(event, positionS.current, durationS)
    if (seekS === undefined) return
    event.preventDefault()
    engine.seek(seekS)
    revealPosition(seekS)
  }
  const zoomBy = (factor: number) => {
    const aroundS = isShown(positionS.current) ? positionS.current : (view.startS + view.endS) / 2
    setView(zoomView(view, factor, aroundS, durationS))
  }

  useWheelView(waveElement, durationS, setView)

  const wholeView = { startS: 0, endS: durationS }
  const seekInOverview = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    const atS = timeAt(event, wholeView, event.currentTarget)
    engine.seek(atS)
    setView(({ startS, endS }) => moveView(atS - (endS - startS) / 2, endS - startS, durationS))
  }
  return (
    <section ref={waveElement} className={styles.box} aria-label="Waveform">
      <div className={styles.overview} onPointerDown={seekInOverview}>
        <canvas ref={overviewCanvas} className={styles.canvas} />
        {!isWhole && (
          <span
            className={styles.window}
            style={{ left: percentOfView(view.startS, wholeView), width: `${((view.endS - view.startS) / durationS) * 100}%` }}
          />
        )}
      </div>
      <div className={classNames(styles.scale, typeStyles.mono)} aria-hidden="true">
        {tickTimes(view, rate, Math.max(2, width / LABEL_PX)).map((atS) => (
          <span key={atS} className={styles.tick} style={{ left: percentOfView(atS * rate, view) }}>
            {formatClock(atS).replace(/\.00$/, '')}
          </span>
        ))}
      </div>
      <div className={styles.wave} onPointerDown={pressOrDrag}>
        <canvas ref={waveCanvas} className={styles.canvas} />
        <input
          ref={seeker}
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
        {loop.on && (
          <LoopGrips
            engine={engine}
            loop={loop}
            durationS={durationS}
            rate={rate}
            view={view}
            timeAt={timeAt}
            onKeyboardMove={revealPosition}
          />
        )}
        {/* The canvas is hidden from screen readers, because the position slider has the same value. */}
        <div ref={headRef} className={styles.head} aria-hidden="true">
          <span ref={clock} className={classNames(styles.clock, typeStyles.mono)} />
        </div>
      </div>
      <div className={styles.zoom}>
        {loop.on && isWholeLoop(loop, durationS) && <span className={classNames(styles.hint, typeStyles.legend)}>Drag to loop a part</span>}
        <ZoomButtons view={view} durationS={durationS} onZoom={zoomBy} />
      </div>
    </section>
  )
}

const percentOfView = (sourceS: number, { startS, endS }: VisibleRange) => `${((sourceS - startS) / (endS - startS)) * 100}%`

/** Returns the position to which a key seeks, in seconds; `undefined` for other keys. */
function seekTarget({ key, shiftKey }: KeyboardEvent, positionS: number, durationS: number): number | undefined {
  const stepS = shiftKey ? FINE_STEP_S : STEP_S
  const targetS = {
    ArrowLeft: positionS - stepS,
    ArrowDown: positionS - stepS,
    ArrowRight: positionS + stepS,
    ArrowUp: positionS + stepS,
    PageDown: positionS - durationS / 10,
    PageUp: positionS + durationS / 10,
    Home: 0,
    End: durationS,
  }[key]
  return targetS === undefined ? undefined : Math.min(durationS, Math.max(0, targetS))
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
    return listen(element, 'wheel', onWheel, { passive: false })
  }, [ref, durationS, setView])
}

/**
 * Returns the width and height of an element in CSS pixels, 0 at first. They are read after the browser's layout, so that reading them does
 * not force a layout.
 */
function useSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

/** Returns a canvas that shows a range of the sound, the function that moves its play head outside of React, and the width of the canvas. */
function useWaveCanvas({ peaks, sampleRate }: LoadedSound, { startS, endS }: VisibleRange, loop: LoopRange, barPx: number) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<ReturnType<typeof createWaveformPainter>>(undefined)
  const { width, height } = useSize(canvas)
  const movePlayHead = useCallback((sourceS: number) => painter.current?.moveHead(sourceS), [])
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return
    painter.current ??= createWaveformPainter(canvas.current, barPx)
    painter.current.show({ peaks, sampleRate, view: { startS, endS }, loop, width, height })
  }, [peaks, sampleRate, startS, endS, loop, width, height, barPx])
  return [canvas, movePlayHead, width] as const
}
