import { type RefObject, startTransition, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { addListener } from '../../primitives/scope.ts'
import { classNames } from '../../ui/class-names.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { BatchButton } from './batch-button.tsx'
import { DownloadButton, DownloadOptions } from './download.tsx'
import { addEditFiles, openAddedEdits } from './edit-files.ts'
import { ExportHistory } from './export-history.tsx'
import { LoadedFileDetails } from './loaded-file-details.tsx'
import styles from './maker-page.module.css'
import {
  CANNOT_PLAY_TEXT,
  describeLinkedSettings,
  describeLoadedFile,
  describeLoadFailure,
  describeMultipleFiles,
  describeProjectFailure,
  INVALID_LINK_TEXT,
  NO_AUDIO_TEXT,
  SAVE_PROBLEM_TEXTS,
  useMessages,
} from './messages.ts'
import { DropZone, LoadingIndicator, OpenFileButton, SharedFilePrompt, useFileDrop } from './open-file.tsx'
import { PresetButtons } from './preset-buttons.tsx'
import { ResultDisplay, ResultStrip } from './result-display.tsx'
import { SettingFaders } from './setting-faders.tsx'
import { EditedOrOriginalSwitch, PlayButton, Transport } from './transport.tsx'
import type { DroppedItems } from './use-batch.ts'
import { useDownloads } from './use-downloads.ts'
import { useExclusivePlayback } from './use-exclusive-playback.ts'
import { useLinkedSettings } from './use-linked-settings.ts'
import { type Engine, type ProjectSummary, type SoundFile, useEngineState } from './use-maker.ts'
import { useReceivedFile } from './use-received-file.ts'
import { useRemoval } from './use-removal.ts'
import { useWhenIdle } from './use-when-idle.ts'
import { WaveformPlaceholder } from './waveform-placeholder.tsx'

const Waveform = lazyWithRetry(() => import('./waveform.tsx').then((module) => module.Waveform), {
  fallback: () => <WaveformPlaceholder />,
})
const EditBar = lazyWithRetry(() => import('./edit-bar.tsx').then((module) => module.EditBar), {
  fallback: () => <div className={styles.editBar} />,
})
const OutputDialog = lazyDialog('Tags, name and level', () => import('./output-dialog.tsx').then((module) => module.OutputDialog))
const VideoDialog = lazyDialog('Download as video', () => import('./video-dialog.tsx').then((module) => module.VideoDialog))
const MyEdits = lazyWithRetry(() => import('./edits.tsx').then((module) => module.MyEdits))

/** The editor of a song, with the lists of edits and exported files. */
export function Editor({ engine }: { engine: Engine }) {
  const state = useEngineState(engine)
  const { sound, phase, settings } = state
  const beginMessages = useMessages()
  const [isSpeedInvalid, setSpeedInvalid] = useState(false)
  const [loadingSoundName, setLoadingSoundName] = useState<string>()
  useExclusivePlayback(engine)
  const [isOutputOpen, setOutputOpen] = useState(false)
  const [isVideoOpen, setVideoOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const editorElement = useRef<HTMLDivElement>(null)
  useRestoreFocus(root, editorElement)

  const playEdits = useCallback(
    (showMessage = beginMessages()) => engine.play().catch(() => showMessage(CANNOT_PLAY_TEXT, 'bad')),
    [engine, beginMessages],
  )
  /**
   * Adds the edits in `files` to those of the account, and opens the last of them. If `files` has no edits, opens the first file that can
   * be opened.
   */
  const openSounds = useCallback(
    async (files: readonly SoundFile[]) => {
      const showMessage = beginMessages()
      const { editIds, otherFiles, problems } = await addEditFiles(engine, files)
      for (const problem of problems) showMessage(problem, 'bad')
      if (editIds.length > 0) {
        setLoadingSoundName(undefined)
        const { text, kind } = await openAddedEdits(engine, editIds)
        return showMessage(text, kind)
      }
      for (const [index, otherFile] of otherFiles.entries()) {
        setLoadingSoundName(otherFile.name)
        const loadResult = await engine.load(otherFile)
        if (loadResult.kind === 'cancelled') return
        if (loadResult.kind === 'loaded') {
          showMessage(describeLoadedFile(otherFile.name), 'good')
          if (index + 1 < otherFiles.length) showMessage(describeMultipleFiles(otherFile.name), 'good')
          return await playEdits(showMessage)
        }
        showMessage(describeLoadFailure(loadResult), 'bad')
      }
    },
    [engine, beginMessages, playEdits],
  )
  const openEdit = async ({ id, title }: ProjectSummary) => {
    const showMessage = beginMessages()
    setLoadingSoundName(title)
    editorElement.current?.scrollIntoView({ block: 'nearest' })
    const loadResult = await engine.openProject(id)
    if (loadResult?.kind !== 'loaded') showMessage(describeProjectFailure(loadResult), 'bad')
  }
  const openFiles = (files: readonly File[]) => void openSounds(files.map((file) => ({ name: file.name, blob: file })))
  const [batchDialogInput, setBatchDialogInput] = useState<{ dropped?: DroppedItems }>()
  const isDraggedOver = useFileDrop(openFiles, (dropped) => setBatchDialogInput({ dropped }))
  const [isRestored, restorePromise] = useProjectRestore(engine)
  // Loads the code that opening a song needs in advance, once the editor is usable.
  useWhenIdle(isRestored, () => {
    engine.prepareLoad()
    Waveform.preload().catch(() => {})
  })
  const hasEdits = useHasEdits(engine) || sound !== undefined
  const [unopenedFile, setUnopenedFile] = useState<SoundFile>()
  useReceivedFile(async (receivedFile) => {
    await restorePromise.current
    if (engine.getSnapshot().sound) setUnopenedFile(receivedFile)
    else await openSounds([receivedFile])
  })

  useLinkedSettings(isRestored, (linkedSettings) => {
    const showMessage = beginMessages()
    if (linkedSettings === 'invalid') return showMessage(INVALID_LINK_TEXT, 'bad')
    engine.changeSettings(linkedSettings.settings)
    showMessage(describeLinkedSettings(linkedSettings.presetName, engine.getSnapshot().sound !== undefined), 'good')
  })

  const removeSong = useRemoval(engine)
  const togglePlay = () => {
    if (!sound) beginMessages()(NO_AUDIO_TEXT, 'bad')
    else if (state.isPlaying) engine.pause()
    else void playEdits()
  }
  useSpaceKeyToPlay(sound !== undefined, togglePlay)

  const { actions, reportOutcome } = useDownloads({
    ...{ engine, state, beginMessages, isSpeedInvalid },
    // Transitions, so that the dialogs are rendered and shown in tasks of their own.
    openOutput: () => startTransition(() => setOutputOpen(true)),
    openVideo: () => startTransition(() => setVideoOpen(true)),
  })

  return (
    <div ref={root} className={classNames(styles.maker, isDraggedOver && styles.over)}>
      <div className={styles.file}>
        <LoadedFileDetails sound={sound} onRemove={() => void removeSong()} />
        {sound && <OpenFileButton onFile={(file) => openFiles([file])} />}
        <BatchButton
          engine={engine}
          isOpen={batchDialogInput !== undefined}
          dropped={batchDialogInput?.dropped}
          onDroppedSongsAdded={() => setBatchDialogInput({})}
          onOpen={() => startTransition(() => setBatchDialogInput({}))}
          onClose={() => setBatchDialogInput(undefined)}
        />
        <a className={typeStyles.link} href="/account/make">
          Convert on the server
        </a>
      </div>
      <div ref={editorElement} className={styles.bleed}>
        {phase === 'loading' ? (
          <LoadingIndicator engine={engine} name={loadingSoundName} />
        ) : sound ? (
          <Waveform key={`${sound.name} ${sound.fileBytes} ${sound.frames}`} engine={engine} sound={sound} state={state} />
        ) : (
          <DropZone onFile={(file) => openFiles([file])} playbackRate={state.rate} isMakerReady={isRestored} />
        )}
      </div>
      <Transport engine={engine} state={state} onPlay={togglePlay}>
        <DownloadButton engine={engine} state={state} actions={actions} />
      </Transport>
      <EditBar engine={engine} state={state} />
      <div className={styles.panels}>
        <div className={styles.controls}>
          <ResultStrip state={state} />
          <PresetButtons settings={settings} onChoose={(chosenSettings) => engine.changeSettings(chosenSettings)} />
          <SettingFaders
            state={state}
            onChange={(changedSettings) => engine.changeSettings(changedSettings)}
            onInvalidSpeed={setSpeedInvalid}
          />
        </div>
        <div className={styles.out}>
          <ResultDisplay engine={engine} state={state} />
          <DownloadOptions actions={actions} />
        </div>
        <div className={styles.lists}>
          {state.saveProblem && <Notice icon="warning">{SAVE_PROBLEM_TEXTS[state.saveProblem]}</Notice>}
          {isRestored && hasEdits && <MyEdits engine={engine} state={state} onOpen={(edit) => void openEdit(edit)} />}
          <ExportHistory onUseSettings={(usedSettings) => engine.changeSettings(usedSettings)} />
        </div>
      </div>
      <SharedFilePrompt
        name={unopenedFile?.name}
        loadedName={sound?.name ?? ''}
        onOpen={() => {
          if (unopenedFile) void openSounds([unopenedFile])
          setUnopenedFile(undefined)
        }}
        onKeep={() => setUnopenedFile(undefined)}
      />
      <OutputDialog open={isOutputOpen} onClose={() => setOutputOpen(false)} engine={engine} state={state} />
      <VideoDialog
        open={isVideoOpen}
        onClose={() => setVideoOpen(false)}
        engine={engine}
        state={state}
        onOutcome={(outcome) => reportOutcome(outcome, 'video')}
      />
      <div className={styles.bar} data-maker-bar>
        <PlayButton state={state} onPlay={togglePlay} />
        {/* The switch between edited and original sound is hidden during an export, because the progress and the Cancel button take its
            place. */}
        {!state.runningExport && <EditedOrOriginalSwitch engine={engine} state={state} isShort />}
        <DownloadButton engine={engine} state={state} actions={actions} />
      </div>
    </div>
  )
}

/** Restores the project of the last visit. Returns whether the restoration has ended, and a ref that holds its promise. */
function useProjectRestore(engine: Engine): [boolean, RefObject<Promise<unknown> | undefined>] {
  const [isRestoreDone, setIsRestoreDone] = useState(engine.getSnapshot().phase !== 'empty')
  const restorePromise = useRef<Promise<unknown>>(undefined)
  useEffect(() => {
    if (engine.getSnapshot().phase === 'empty') restorePromise.current = engine.restore().finally(() => setIsRestoreDone(true))
  }, [engine])
  return [isRestoreDone, restorePromise]
}

/** Returns whether the account has had an edit on this device since the page was opened. */
function useHasEdits({ projects }: Engine): boolean {
  const [hasEdits, setHasEdits] = useState(false)
  useEffect(() => {
    // The failure is ignored, because a browser without a private file system has no edits.
    const checkHasEdits = () =>
      projects.list().then(
        ({ length }) => setHasEdits((had) => had || length > 0),
        () => {},
      )
    void checkHasEdits()
    return projects.subscribe(checkHasEdits)
  }, [projects])
  return hasEdits
}

/** Elements that handle the space bar themselves. Sliders do not. */
const spaceKeyHandlerSelector = 'a, button, input:not([type=range]), select, textarea, summary, dialog, [contenteditable]'

/** The space bar plays and pauses the song in the maker instead of the site's player. */
function useSpaceKeyToPlay(isActive: boolean, togglePlayback: () => void): void {
  const onSpace = useEffectEvent(togglePlayback)
  useEffect(() => {
    if (!isActive) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(spaceKeyHandlerSelector)) return
      event.preventDefault()
      if (!event.repeat) onSpace()
    }
    // The maker's key listener runs in the capture phase, before the player's listener on the document.
    return addListener(window, 'keydown', onKey, { capture: true })
  }, [isActive])
}

/**
 * Moves the focus to the first control in `container` when a render has removed the focused element in `root`, so that keyboard and screen
 * reader users do not restart at the top of the page. Use this hook in the component that renders both elements, because the hook runs
 * after each render of that component.
 */
function useRestoreFocus(root: RefObject<HTMLElement | null>, container: RefObject<HTMLElement | null>): void {
  const lastFocusedElement = useRef<EventTarget>(null)
  useEffect(() => {
    const abortController = new AbortController()
    root.current?.addEventListener('focusin', ({ target }) => (lastFocusedElement.current = target), { signal: abortController.signal })
    return () => abortController.abort()
  }, [root])
  useLayoutEffect(() => {
    if (
      !(lastFocusedElement.current instanceof Element) ||
      lastFocusedElement.current.isConnected ||
      document.activeElement !== document.body
    )
      return
    container.current?.querySelector<HTMLElement>('button, input:not([hidden])')?.focus({ preventScroll: true })
  })
}
