import { takeSharedLock, takeWebLock } from '../primitives/web-lock.ts'
import { decodeSoundFile } from './decode.ts'
import { FINISHED_SOUNDS_FOLDER, type FinishedSound, type FinishedSoundFailure } from './engine.ts'
import { runExport } from './export.ts'
import { isOutOfSpaceError } from './out-of-space-error.ts'
import type { StoredProject } from './projects/project-session.ts'
import { createRenderPool } from './render-pool.ts'
import { clampSettings, DEFAULT_SETTINGS } from './render-settings.ts'
import { editSound, NO_EDITS } from './sound-edits.ts'

/** The total size of the stored files above which the oldest are removed. */
const MAX_STORED_BYTES = 2 ** 30
/** FLAC is lossless, and can be seeked like a WAV file in half the space. */
const FINISHED_SOUND_FORMAT = 'flac-int16'
const FILE_TYPE = 'audio/flac'
/**
 * The version of the renderer. It must be increased by every change of the program that renders a different sound from the same settings.
 */
const RENDERING_VERSION = 1
const LOCK_PREFIX = 'maker-finished/'

export interface FinishedSoundsDeps {
  /** Returns a project as it is saved; `undefined` if it does not exist or its song is incomplete. */
  readonly readProject: (id: string) => Promise<StoredProject | undefined>
  readonly workerCount?: number | undefined
}

interface PendingRendering {
  readonly result: Promise<Blob | FinishedSoundFailure>
  readonly controller: AbortController
  /** The number of callers that wait for the result. */
  waitingCount: number
}

/**
 * Creates the finished sounds of projects. A sound is rendered into a file of the origin private file system, whose name consists of the project's id
 * and a digest of the song, the settings and the edits, so that a changed project is rendered again. Sounds are rendered one at a time.
 */
export function createFinishedSounds({ readProject, workerCount }: FinishedSoundsDeps) {
  /** The renderings that have not ended, by the names of their files. */
  const renderingByFileName = new Map<string, PendingRendering>()
  let lastRendering: Promise<unknown> = Promise.resolve()

  function startRendering(project: StoredProject, fileName: string): PendingRendering {
    const controller = new AbortController()
    const resultPromise = lastRendering.then(() => renderToFile(project, fileName, workerCount, controller.signal))
    lastRendering = resultPromise.catch(() => {})
    const rendering = { result: resultPromise, controller, waitingCount: 0 }
    renderingByFileName.set(fileName, rendering)
    return rendering
  }

  /** Waits for the rendering of a file. The rendering is cancelled when no caller waits for it any more. */
  async function waitForRendering(project: StoredProject, fileName: string, signal: AbortSignal): Promise<Blob | FinishedSoundFailure> {
    const rendering = renderingByFileName.get(fileName) ?? startRendering(project, fileName)
    rendering.waitingCount += 1
    const abortPromise = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    try {
      return await Promise.race([rendering.result, abortPromise])
    } finally {
      rendering.waitingCount -= 1
      if (rendering.waitingCount === 0) {
        rendering.controller.abort()
        if (renderingByFileName.get(fileName) === rendering) renderingByFileName.delete(fileName)
      }
    }
  }

  return {
    /** Returns the sound of a project. Rejects if `signal` is aborted. */
    async open(projectId: string, signal: AbortSignal): Promise<FinishedSound | FinishedSoundFailure> {
      const project = await readProject(projectId)
      signal.throwIfAborted()
      if (project === undefined) return { kind: 'no-project' }
      const fileName = await createSoundFileName(project)
      // The lock protects the file from removal while a tab plays it.
      const releaseLock = await takeSharedLock(LOCK_PREFIX + fileName)
      try {
        const soundBlob = (await readStoredSound(fileName)) ?? (await waitForRendering(project, fileName, signal))
        signal.throwIfAborted()
        if (soundBlob instanceof Blob) return { kind: 'finished', blob: soundBlob, release: releaseLock }
        releaseLock()
        return soundBlob
      } catch (error) {
        releaseLock()
        throw error
      }
    },
  }
}

/** Removes the stored sounds that no tab uses. Resolves with their number. */
export const removeUnusedSounds = (): Promise<number> => removeFiles(() => true)

/** Returns the name of the file of a project's finished sound. */
async function createSoundFileName({ id, source, settings, history, output }: StoredProject): Promise<string> {
  const soundEdits = history?.steps[history.index]?.edits ?? NO_EDITS
  const nameParts = [
    RENDERING_VERSION,
    FINISHED_SOUND_FORMAT,
    source,
    clampSettings(DEFAULT_SETTINGS, settings),
    soundEdits,
    output?.targetLufs ?? null,
  ]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(nameParts)))
  const hex = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${id}.${hex}.flac`
}

const readProjectId = (fileName: string) => fileName.split('.')[0]

const openFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(FINISHED_SOUNDS_FOLDER, { create: true })

/** Returns a stored sound. A file without content was left by a crash. */
async function readStoredSound(fileName: string): Promise<Blob | undefined> {
  try {
    const file = await (await (await openFolder()).getFileHandle(fileName)).getFile()
    return file.size > 0 ? file.slice(0, file.size, FILE_TYPE) : undefined
  } catch {
    return undefined
  }
}

/** Renders a project. If there is no room, other sounds are removed first, and the rendering starts again. */
async function renderToFile(project: StoredProject, fileName: string, workerCount: number | undefined, signal: AbortSignal) {
  const renderOnce = () => tryToRender(project, fileName, workerCount, signal)
  const sound = await renderOnce()
  if (sound instanceof Blob || sound.kind !== 'no-room') return sound
  return (await removeUnusedSounds()) > 0 ? renderOnce() : sound
}

async function tryToRender(
  { id, file, settings, history, output }: StoredProject,
  fileName: string,
  workerCount: number | undefined,
  signal: AbortSignal,
): Promise<Blob | FinishedSoundFailure> {
  const decodedSound = await decodeSoundFile(file, { signal })
  if (decodedSound.kind !== 'decoded') return decodedSound
  const pool = createRenderPool(workerCount)
  try {
    const soundsFolder = await openFolder()
    // The file appears only when it is complete, because the browser writes to a temporary copy until then.
    const fileSink = await (await soundsFolder.getFileHandle(fileName, { create: true })).createWritable()
    const exportRequest = {
      sound: editSound(decodedSound.sound, history?.steps[history.index]?.edits ?? NO_EDITS),
      details: { name: file.name, bpm: undefined },
      settings: clampSettings(DEFAULT_SETTINGS, settings),
      format: FINISHED_SOUND_FORMAT,
      output,
      sink: fileSink,
      onProgress() {},
    } as const
    const exportOutcome = await runExport(pool, exportRequest, signal)
    if (exportOutcome.kind !== 'exported') {
      // Another tab may have rendered the same sound during this rendering.
      if ((await readStoredSound(fileName)) === undefined) await soundsFolder.removeEntry(fileName).catch(() => {})
      return exportOutcome
    }
    await removeFiles((other, cumulativeBytes) => other !== fileName && (readProjectId(other) === id || cumulativeBytes > MAX_STORED_BYTES))
    return (await readStoredSound(fileName)) ?? { kind: 'no-room' }
  } catch (error) {
    if (isOutOfSpaceError(error)) return { kind: 'no-room' }
    throw error
  } finally {
    pool.dispose()
    decodedSound.sound.dispose()
  }
}

/**
 * Removes the sounds that no tab uses and that `shouldRemove` accepts. `shouldRemove` receives the name of a file, and the total size of this
 * file and all newer files in bytes. Resolves with the number of removed files.
 */
async function removeFiles(shouldRemove: (name: string, bytesToHere: number) => boolean): Promise<number> {
  const soundsFolder = await openFolder()
  const soundFiles: File[] = []
  for await (const name of soundsFolder.keys()) soundFiles.push(await (await soundsFolder.getFileHandle(name)).getFile())
  let cumulativeBytes = 0
  let removedCount = 0
  for (const { name, size } of soundFiles.toSorted((a, b) => b.lastModified - a.lastModified)) {
    cumulativeBytes += size
    if (!shouldRemove(name, cumulativeBytes)) continue
    const releaseLock = await takeWebLock(LOCK_PREFIX + name).catch(() => undefined)
    if (releaseLock === undefined) continue
    await soundsFolder.removeEntry(name).then(
      () => (removedCount += 1),
      () => {},
    )
    releaseLock()
  }
  return removedCount
}
