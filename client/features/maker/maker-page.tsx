import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useEntitlement, useRefreshEntitlement } from '../../bindings/entitlement.ts'
import { usePerson } from '../../bindings/identity.ts'
import { useKeepMaker } from '../../bindings/keep-maker.ts'
import {
  type Engine,
  type Exported,
  type ExportFailure,
  type ExportFormat,
  type SoundFile,
  useEngineState,
  useMaker,
} from '../../bindings/maker.ts'
import { useMakerExport } from '../../bindings/maker-export.ts'
import { useOnlyOneSound } from '../../bindings/maker-sound.ts'
import { useReceivedFile } from '../../bindings/received-file.ts'
import { classNames } from '../../ui/class-names.ts'
import { AwayState, ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { Controls } from './controls.tsx'
import { Display } from './display.tsx'
import { DownloadKey, ExportProgress, OtherFormats } from './download.tsx'
import { FileLine } from './file-line.tsx'
import { History } from './history.tsx'
import styles from './maker-page.module.css'
import {
  CANNOT_PLAY,
  exportFailureText,
  INVALID_SPEED,
  loadedText,
  loadFailureText,
  loweredText,
  NO_AUDIO,
  notReadyText,
  savedText,
  startedText,
} from './maker-words.ts'
import { OfferedFile } from './offered-file.tsx'
import { ComingPlace, DropPlace, LoadingPlace, OpenKey, useFilesFromOutside } from './open-file.tsx'
import { PresetKeys } from './preset-keys.tsx'
import { PlayKey, Transport } from './transport.tsx'
import { useFocusKept } from './use-focus-kept.ts'
import { Waveform } from './waveform.tsx'

/** How long what went wrong stays to be read. */
const FAILURE_MS = 12_000

/** The editor: its heading at once, the rest once it is known who asks, and its engine is here. `locked` stands there for who is no subscriber. */
export function MakerPage({ locked }: { locked: ReactNode }) {
  const person = usePerson()
  return (
    <div className={styles.page}>
      <h1 className={classNames(typeStyles.display, typeStyles.d3)}>Maker</h1>
      {person ? <Gate key={person.uid} locked={locked} /> : <Coming />}
    </div>
  )
}

function Gate({ locked }: { locked: ReactNode }) {
  const entitlement = useEntitlement()
  const refresh = useRefreshEntitlement()
  switch (entitlement) {
    case 'entitled':
      return <Opening />
    case 'locked':
      return locked
    case 'stale':
      return (
        <AwayState
          title="Your subscription must be confirmed."
          text="That was last done over 30 days ago. Connect to the internet once to go on; your song is still here."
          onRetry={refresh}
        />
      )
    case 'unknown':
      return <Coming />
  }
}

/** The place of the wave, before it is known what stands there. */
const Coming = () => (
  <div className={styles.bleed}>
    <ComingPlace />
  </div>
)

function Opening() {
  useKeepMaker()
  const maker = useMaker()
  if (maker.state === 'open') return <Editor engine={maker.engine} />
  if (maker.state === 'failed')
    return <ErrorState title="The maker could not be started." text="A part of it did not arrive." onRetry={maker.retry} />
  return <Coming />
}

function Editor({ engine }: { engine: Engine }) {
  const state = useEngineState(engine)
  const { sound, phase, settings } = state
  const toast = useToast()
  const exports = useMakerExport(engine)
  const [invalidSpeed, setInvalidSpeed] = useState(false)
  const say = useCallback(
    (text: string | undefined, kind: 'good' | 'bad') => {
      if (text !== undefined) toast({ text, kind, ...(kind === 'bad' && { durationMs: FAILURE_MS }) })
    },
    [toast],
  )
  useOnlyOneSound(engine)
  const root = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  useFocusKept(root, place)

  const play = useCallback(() => engine.play().catch(() => say(CANNOT_PLAY, 'bad')), [engine, say])
  const open = useCallback(
    async (file: SoundFile) => {
      const result = await engine.load(file)
      if (result.kind !== 'loaded') return say(loadFailureText(result), 'bad')
      say(loadedText(result.sound.name), 'good')
      await play()
    },
    [engine, say, play],
  )
  const openFile = (file: File) => void open({ name: file.name, blob: file })
  const over = useFilesFromOutside(openFile)
  const [restored, restoring] = useRestored(engine)
  const [offered, setOffered] = useState<SoundFile>()
  useReceivedFile(async (file) => {
    await restoring.current
    if (engine.getSnapshot().sound) setOffered(file)
    else await open(file)
  })

  const togglePlay = () => {
    if (!sound) say(NO_AUDIO, 'bad')
    else if (state.playing) engine.pause()
    else void play()
  }
  usePlayKey(sound !== undefined, togglePlay)

  const ready = () => {
    if (phase !== 'loaded') say(notReadyText(phase), 'bad')
    else if (invalidSpeed || state.rate <= 0) say(INVALID_SPEED, 'bad')
    else return state.exporting === undefined
    return false
  }
  const tell = (outcome: Exported | ExportFailure | undefined, format: ExportFormat) => {
    if (outcome === undefined) return
    if (outcome.kind !== 'exported') return say(exportFailureText(outcome), 'bad')
    say(outcome.file ? startedText(outcome, format) : savedText(outcome), 'good')
    say(loweredText(outcome), 'good')
  }
  const actions = {
    download: async (format: ExportFormat) => {
      if (ready()) tell(await exports.download(format), format)
    },
    ...(exports.saveTo && {
      saveTo: async () => {
        if (ready()) tell(await exports.saveTo?.('wav-int16'), 'wav-int16')
      },
    }),
    cancel: exports.cancel,
  }

  return (
    <div ref={root} className={classNames(styles.maker, over && styles.over)}>
      <div className={styles.file}>
        <FileLine engine={engine} sound={sound} />
        {sound && <OpenKey onFile={openFile} />}
        <a className={typeStyles.link} href="/account/make">
          Convert on the server
        </a>
      </div>
      <div ref={place} className={styles.bleed}>
        {phase === 'loading' ? (
          <LoadingPlace progress={state.loadProgress} onCancel={() => engine.cancelLoad()} />
        ) : sound ? (
          <Waveform key={`${sound.name} ${sound.fileBytes} ${sound.frames}`} engine={engine} sound={sound} state={state} />
        ) : (
          <DropPlace onFile={openFile} rate={state.rate} ready={restored} />
        )}
      </div>
      <Transport engine={engine} state={state} onPlay={togglePlay} />
      <div className={styles.panels}>
        <div className={styles.controls}>
          <PresetKeys settings={settings} onChoose={(chosen) => engine.change(chosen)} />
          <Controls state={state} onChange={(changed) => engine.change(changed)} onInvalidSpeed={setInvalidSpeed} />
        </div>
        <div className={styles.out}>
          <Display engine={engine} state={state} />
          <div className={styles.download}>
            <DownloadKey engine={engine} state={state} actions={actions} />
          </div>
          <OtherFormats engine={engine} state={state} actions={actions} />
        </div>
      </div>
      <History />
      <OfferedFile
        name={offered?.name}
        instead={sound?.name ?? ''}
        onOpen={() => {
          if (offered) void open(offered)
          setOffered(undefined)
        }}
        onKeep={() => setOffered(undefined)}
      />
      <div className={styles.bar}>
        <PlayKey state={state} onPlay={togglePlay} />
        <DownloadKey engine={engine} state={state} actions={actions} />
      </div>
      <ExportProgress state={state} />
    </div>
  )
}

/** Takes up what this device kept of the last visit; gives whether that is done, and the promise of it. */
function useRestored(engine: Engine): [boolean, RefObject<Promise<unknown> | undefined>] {
  const [done, setDone] = useState(engine.getSnapshot().phase !== 'empty')
  const restoring = useRef<Promise<unknown>>(undefined)
  useEffect(() => {
    if (engine.getSnapshot().phase === 'empty') restoring.current = engine.restore().finally(() => setDone(true))
  }, [engine])
  return [done, restoring]
}

/** Where Space has a meaning of its own; a slider has none for it. */
const ownSpace = 'a, button, input:not([type=range]), select, textarea, summary, dialog, [contenteditable]'

/** Space plays and pauses the song in the maker, not the site's player. */
function usePlayKey(active: boolean, toggle: () => void): void {
  const latest = useRef(toggle)
  useEffect(() => {
    latest.current = toggle
  })
  useEffect(() => {
    if (!active) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(ownSpace)) return
      event.preventDefault()
      if (!event.repeat) latest.current()
    }
    // Before those of the player, which are the document's.
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [active])
}
