import type { ProjectLibrary, ProjectSummary } from '../engine.ts'
import { createProjectFileName } from '../file-name.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import { DEFAULT_SETTINGS, toPlaybackRate } from '../render-settings.ts'
import type { ProjectContext } from './project-context.ts'
import type { ProjectFiles } from './project-files.ts'
import type { ProjectRecord } from './project-record.ts'
import type { ProjectSession } from './project-session.ts'
import { cleanTitle, createCopyTitle } from './project-title.ts'

/** Creates the list of the projects of one account. */
export function createProjectLibrary(context: ProjectContext, session: ProjectSession): ProjectLibrary {
  const isOwnRecord = ({ owner }: ProjectRecord) => owner === context.ownerId

  /** Runs `workOnFiles` on a project that no other tab has open. Resolves with whether `workOnFiles` has found the project and saved it. */
  async function changeProject(projectId: string, workOnFiles: (files: ProjectFiles) => Promise<unknown>): Promise<boolean> {
    const releaseLock = session.openId === projectId ? () => {} : await context.locks.takeProjectLock(projectId).catch(() => undefined)
    if (releaseLock === undefined) return false
    try {
      const isDone = (await context.writeExclusively(workOnFiles)) !== undefined
      if (isDone) context.announceChange()
      return isDone
    } catch {
      return false
    } finally {
      releaseLock()
    }
  }

  return {
    async list() {
      const files = await context.openForReading()
      const records = (await files.records()).filter((record) => isOwnRecord(record) && record.deletedAtMs === undefined)
      return Promise.all(records.map((record) => createSummary(record, files)))
    },
    subscribe: context.onChange,
    rename: (id, title) =>
      changeProject(id, (files) => files.change(id, (record) => ({ ...record, title: cleanTitle(title) || record.title }))),
    async duplicate(projectId) {
      await session.flush()
      return context
        .writeExclusively((files) =>
          files.duplicate(projectId, (record) => ({ ...record, title: createCopyTitle(record.title), changedAtMs: context.nowMs() })),
        )
        .then(
          (copy) => {
            context.announceChange()
            return copy?.id
          },
          () => undefined,
        )
    },
    remove(projectId) {
      context.scheduleSweep()
      return changeProject(projectId, (files) => files.change(projectId, (record) => ({ ...record, deletedAtMs: context.nowMs() })))
    },
    async exportFile(projectId) {
      await session.flush()
      const projectFiles = await context.openForReading()
      const projectRecord = await projectFiles.find(projectId)
      if (projectRecord === undefined || !isOwnRecord(projectRecord)) return undefined
      const sound = await projectFiles.readSound(projectRecord)
      const { createPortableProject } = await import('./portable-project.ts')
      return (
        sound && {
          name: createProjectFileName(projectRecord.title),
          blob: createPortableProject(projectRecord, sound, await projectFiles.readCover(projectRecord)),
        }
      )
    },
    async importFile(portableFile) {
      const { readPortableProject } = await import('./portable-project.ts')
      const project = await readPortableProject(portableFile)
      if (typeof project === 'string') return { kind: project }
      try {
        const { id } = await context.writeExclusively((files) =>
          files.create({ ...project, owner: context.ownerId, changedAtMs: context.nowMs() }),
        )
        context.announceChange()
        return { kind: 'added', id }
      } catch (error) {
        return { kind: isOutOfSpaceError(error) ? 'no-room' : 'no-storage' }
      }
    },
    restore: (id) => changeProject(id, (files) => files.change(id, ({ deletedAtMs: _, ...record }) => record)),
  }
}

async function createSummary(record: ProjectRecord, files: ProjectFiles): Promise<ProjectSummary> {
  const { id, title, artist, settings, bpm, lengthS, source, sourceBytes, changedAtMs } = record
  const rate = toPlaybackRate({ ...DEFAULT_SETTINGS, ...settings })
  return {
    id,
    title,
    artist,
    rate,
    lengthS,
    bpm: bpm === undefined ? undefined : bpm * rate,
    bytes: sourceBytes,
    source,
    changedAtMs,
    cover: await files.readCover(record),
    coverSource: record.cover,
  }
}
