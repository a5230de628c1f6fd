import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Engine, type EngineState, type LoadedSound, useMakerPosition } from '../../bindings/maker.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import typeStyles from '../../ui/type.module.css'
import { followPointer } from './follow-pointer.ts'
import { LoopGrips } from './loop-grips.tsx'
import { createWavePainter } from './wave-painter.ts'
import { formatClock, placed, tickTimes, type View, zoomed } from './wave-view.ts'
import styles from './waveform.module.css'

const ZOOM = 2
const WHEEL_ZOOM = 1.2
const STEP_S = 1
const FINE_STEP_S = 0.1
const LABEL_PX = 90

interface WaveformProps {
  engine: Engine
  sound: LoadedSound
  state: EngineState
}

/**
 * The sound from edge to edge: an overview, a scale in the time of what is heard, the wave with its play head and loop. A press on it goes there; the
 * wheel with Ctrl zooms, without it moves along.
 */
export function Waveform({ engine, sound, state }: WaveformProps) {
  const { durationS } = sound
  const { loop } = state
  const rate = state.heard === 'edited' ? state.rate : 1
  const [view, setView] = useState<View>({ startS: 0, endS: durationS })
  const box = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const clock = useRef<HTMLSpanElement>(null)
  const seeker = useRef<HTMLInputElement>(null)
  const positionS = useRef(0)
  const width = useWidth(box)
  const whole = view.endS - view.startS >= durationS
  const isShown = (sourceS: number) => sourceS >= view.startS && sourceS <= view.endS
  /** Brings a place into the view that keys went to. */
  const reveal = (sourceS: number) => {
    const lengthS = view.endS - view.startS
    if (!isShown(sourceS)) setView(placed(sourceS - lengthS / 2, lengthS, durationS))
  }

  const [waveCanvas, moveWave] = useWave(sound, view, state, width, 2)
  const [overviewCanvas, moveOverview] = useWave(sound, { startS: 0, endS: durationS }, state, width, 1)

  const showHead = useCallback(
    (sourceS: number) => {
      const at = (sourceS - view.startS) / (view.endS - view.startS)
      if (head.current) {
        head.current.style.left = `${at * 100}%`
        head.current.hidden = at < 0 || at > 1
        head.current.toggleAttribute('data-late', at > 0.9)
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
    // The page turns when the music leaves it; who looks elsewhere meanwhile is left there.
    const lengthS = view.endS - view.startS
    if (wasShown && !isShown(sourceS) && !box.current?.matches(':active')) setView(placed(sourceS - lengthS * 0.05, lengthS, durationS))
    showHead(sourceS)
  })
  useLayoutEffect(() => showHead(positionS.current), [showHead])

  const timeAt = (event: { clientX: number }, inView: View) => {
    const { left, width: across } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return inView.startS + Math.min(1, Math.max(0, (event.clientX - left) / across)) * (inView.endS - inView.startS)
  }
  const seekBy = (event: KeyboardEvent) => {
    const step = event.shiftKey ? FINE_STEP_S : STEP_S
    const to = {
      ArrowLeft: positionS.current - step,
      ArrowDown: positionS.current - step,
      ArrowRight: positionS.current + step,
      ArrowUp: positionS.current + step,
      PageDown: positionS.current - durationS / 10,
      PageUp: positionS.current + durationS / 10,
      Home: 0,
      End: durationS,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const toS = Math.min(durationS, Math.max(0, to))
    engine.seek(toS)
    reveal(toS)
  }
  const zoom = (factor: number) => {
    const aroundS = isShown(positionS.current) ? positionS.current : (view.startS + view.endS) / 2
    setView(zoomed(view, factor, aroundS, durationS))
  }

  // React's own wheel listener is passive, and could not keep the page from zooming.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      const along = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0
      if (!event.ctrlKey && !event.metaKey && along === 0) return
      event.preventDefault()
      const { left, width: across } = element.getBoundingClientRect()
      setView((now) => {
        const lengthS = now.endS - now.startS
        if (event.ctrlKey || event.metaKey)
          return zoomed(
            now,
            event.deltaY > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM,
            now.startS + ((event.clientX - left) / across) * lengthS,
            durationS,
          )
        return placed(now.startS + (along / across) * lengthS, lengthS, durationS)
      })
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [durationS])

  const wholeView = { startS: 0, endS: durationS }
  const percent = (sourceS: number, inView: View) => `${((sourceS - inView.startS) / (inView.endS - inView.startS)) * 100}%`
  return (
    <section ref={box} className={styles.box} aria-label="Waveform">
      <div
        className={styles.overview}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          const atS = timeAt(event, wholeView)
          engine.seek(atS)
          setView((now) => placed(atS - (now.endS - now.startS) / 2, now.endS - now.startS, durationS))
        }}
      >
        <canvas ref={overviewCanvas} className={styles.canvas} />
        {!whole && (
          <span
            className={styles.window}
            style={{ left: percent(view.startS, wholeView), width: `${((view.endS - view.startS) / durationS) * 100}%` }}
          />
        )}
      </div>
      <div className={classNames(styles.scale, typeStyles.mono)} aria-hidden="true">
        {tickTimes(view, rate, Math.max(2, width / LABEL_PX)).map((atS) => (
          <span key={atS} className={styles.tick} style={{ left: percent(atS * rate, view) }}>
            {formatClock(atS).replace(/\.00$/, '')}
          </span>
        ))}
      </div>
      <div className={styles.wave} onPointerDown={(event) => followPointer(event, (moved) => engine.seek(timeAt(moved, view)))}>
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
          // A screen reader's own way to move a slider.
          onChange={(event) => engine.seek(event.currentTarget.valueAsNumber)}
        />
        {loop.on && (
          <LoopGrips
            engine={engine}
            loop={loop}
            durationS={durationS}
            rate={rate}
            view={view}
            timeAt={(event) => timeAt(event, view)}
            onKeysTo={reveal}
          />
        )}
        {/* The slider says it, when it is asked. */}
        <div ref={head} className={styles.head} aria-hidden="true">
          <span ref={clock} className={classNames(styles.clock, typeStyles.mono)} />
        </div>
      </div>
      <div className={styles.zoom}>
        <IconButton icon="minus" label="Zoom out" disabled={whole} onClick={() => zoom(ZOOM)} />
        <IconButton
          icon="plus"
          label="Zoom in"
          disabled={view.endS - view.startS <= Math.min(0.5, durationS)}
          onClick={() => zoom(1 / ZOOM)}
        />
      </div>
    </section>
  )
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}

/** A canvas that shows a part of the sound; what changes with every frame goes by `move`, outside React. */
function useWave({ peaks, sampleRate }: LoadedSound, { startS, endS }: View, { loop }: EngineState, width: number, barPx: number) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<ReturnType<typeof createWavePainter>>(undefined)
  const move = useCallback((sourceS: number) => painter.current?.move(sourceS), [])
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return
    painter.current ??= createWavePainter(canvas.current, barPx)
    painter.current.show({ peaks, sampleRate, view: { startS, endS }, loop })
  }, [peaks, sampleRate, startS, endS, loop, width, barPx])
  return [canvas, move] as const
}
