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

interface Rendering {
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
  const renderings = new Map<string, Rendering>()
  let lastRendering: Promise<unknown> = Promise.resolve()

  function startRendering(project: StoredProject, name: string): Rendering {
    const controller = new AbortController()
    const result = lastRendering.then(() => renderToFile(project, name, workerCount, controller.signal))
    lastRendering = result.catch(() => {})
    const rendering = { result, controller, waitingCount: 0 }
    renderings.set(name, rendering)
    return rendering
  }

  /** Waits for the rendering of a file. The rendering is cancelled when no caller waits for it any more. */
  async function waitForRendering(project: StoredProject, name: string, signal: AbortSignal): Promise<Blob | FinishedSoundFailure> {
    const rendering = renderings.get(name) ?? startRendering(project, name)
    rendering.waitingCount += 1
    const abortion = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    try {
      return await Promise.race([rendering.result, abortion])
    } finally {
      rendering.waitingCount -= 1
      if (rendering.waitingCount === 0) {
        rendering.controller.abort()
        if (renderings.get(name) === rendering) renderings.delete(name)
      }
    }
  }

  return {
    /** Returns the sound of a project. Rejects if `signal` is aborted. */
    async open(id: string, signal: AbortSignal): Promise<FinishedSound | FinishedSoundFailure> {
      const project = await readProject(id)
      signal.throwIfAborted()
      if (project === undefined) return { kind: 'no-project' }
      const name = await fileNameOf(project)
      // The lock protects the file from removal while a tab plays it.
      const release = await takeSharedLock(LOCK_PREFIX + name)
      try {
        const sound = (await readStored(name)) ?? (await waitForRendering(project, name, signal))
        signal.throwIfAborted()
        if (sound instanceof Blob) return { kind: 'finished', blob: sound, release }
        release()
        return sound
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** Removes the stored sounds that no tab uses. Resolves with their number. */
export const removeUnusedSounds = (): Promise<number> => removeFiles(() => true)

/** Returns the name of the file of a project's finished sound. */
async function fileNameOf({ id, source, settings, history, output }: StoredProject): Promise<string> {
  const edits = history?.steps[history.index]?.edits ?? NO_EDITS
  const nameParts = [
    RENDERING_VERSION,
    FINISHED_SOUND_FORMAT,
    source,
    clampSettings(DEFAULT_SETTINGS, settings),
    edits,
    output?.targetLufs ?? null,
  ]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(nameParts)))
  const hex = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${id}.${hex}.flac`
}

const projectIdOf = (fileName: string) => fileName.split('.')[0]

const openFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(FINISHED_SOUNDS_FOLDER, { create: true })

/** Returns a stored sound. A file without content was left by a crash. */
async function readStored(name: string): Promise<Blob | undefined> {
  try {
    const file = await (await (await openFolder()).getFileHandle(name)).getFile()
    return file.size > 0 ? file.slice(0, file.size, FILE_TYPE) : undefined
  } catch {
    return undefined
  }
}

/** Renders a project. If there is no room, other sounds are removed first, and the rendering starts again. */
async function renderToFile(project: StoredProject, name: string, workerCount: number | undefined, signal: AbortSignal) {
  const attempt = () => tryToRender(project, name, workerCount, signal)
  const sound = await attempt()
  if (sound instanceof Blob || sound.kind !== 'no-room') return sound
  return (await removeUnusedSounds()) > 0 ? attempt() : sound
}

async function tryToRender(
  { id, file, settings, history, output }: StoredProject,
  name: string,
  workerCount: number | undefined,
  signal: AbortSignal,
): Promise<Blob | FinishedSoundFailure> {
  const decodedSound = await decodeSoundFile(file, { signal })
  if (decodedSound.kind !== 'decoded') return decodedSound
  const pool = createRenderPool(workerCount)
  try {
    const folder = await openFolder()
    // The file appears only when it is complete, because the browser writes to a temporary copy until then.
    const sink = await (await folder.getFileHandle(name, { create: true })).createWritable()
    const request = {
      sound: editSound(decodedSound.sound, history?.steps[history.index]?.edits ?? NO_EDITS),
      details: { name: file.name, bpm: undefined },
      settings: clampSettings(DEFAULT_SETTINGS, settings),
      format: FINISHED_SOUND_FORMAT,
      output,
      sink,
      onProgress() {},
    } as const
    const outcome = await runExport(pool, request, signal)
    if (outcome.kind !== 'exported') {
      // Another tab may have rendered the same sound during this rendering.
      if ((await readStored(name)) === undefined) await folder.removeEntry(name).catch(() => {})
      return outcome
    }
    await removeFiles((other, cumulativeBytes) => other !== name && (projectIdOf(other) === id || cumulativeBytes > MAX_STORED_BYTES))
    return (await readStored(name)) ?? { kind: 'no-room' }
  } catch (error) {
    if (isOutOfSpaceError(error)) return { kind: 'no-room' }
    throw error
  } finally {
    pool.dispose()
    decodedSound.sound.dispose()
  }
}

/**
 * Removes the sounds that no tab uses and that `isRemoved` accepts. `isRemoved` receives the name of a file, and the total size of this
 * file and all newer files in bytes. Resolves with the number of removed files.
 */
async function removeFiles(isRemoved: (name: string, bytesToHere: number) => boolean): Promise<number> {
  const folder = await openFolder()
  const files: File[] = []
  for await (const name of folder.keys()) files.push(await (await folder.getFileHandle(name)).getFile())
  let cumulativeBytes = 0
  let removedCount = 0
  for (const { name, size } of files.toSorted((a, b) => b.lastModified - a.lastModified)) {
    cumulativeBytes += size
    if (!isRemoved(name, cumulativeBytes)) continue
    const release = await takeWebLock(LOCK_PREFIX + name).catch(() => undefined)
    if (release === undefined) continue
    await folder.removeEntry(name).then(
      () => (removedCount += 1),
      () => {},
    )
    release()
  }
  return removedCount
}
