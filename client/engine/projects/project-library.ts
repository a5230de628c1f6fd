import type { ProjectLibrary, ProjectSummary } from '../engine.ts'
import { projectFileName } from '../file-name.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import { DEFAULT_SETTINGS, toPlaybackRate } from '../render-settings.ts'
import type { ProjectContext } from './project-context.ts'
import type { ProjectFiles } from './project-files.ts'
import type { ProjectRecord } from './project-record.ts'
import type { ProjectSession } from './project-session.ts'
import { cleanTitle, copyTitle } from './project-title.ts'

/** Creates the list of the projects of one account. */
export function createProjectLibrary(context: ProjectContext, session: ProjectSession): ProjectLibrary {
  const isOwn = ({ owner }: ProjectRecord) => owner === context.ownerId

  /** Runs `work` on a project that no other tab has open. Resolves with whether `work` has found the project and saved it. */
  async function change(id: string, work: (files: ProjectFiles) => Promise<unknown>): Promise<boolean> {
    const release = session.openId === id ? () => {} : await context.locks.take(id).catch(() => undefined)
    if (release === undefined) return false
    try {
      const isDone = (await context.writing(work)) !== undefined
      if (isDone) context.announce()
      return isDone
    } catch {
      return false
    } finally {
      release()
    }
  }

  return {
    async list() {
      const files = await context.reading()
      const records = (await files.records()).filter((record) => isOwn(record) && record.deletedAtMs === undefined)
      return Promise.all(records.map((record) => summaryOf(record, files)))
    },
    subscribe: context.onChange,
    rename: (id, title) => change(id, (files) => files.change(id, (record) => ({ ...record, title: cleanTitle(title) || record.title }))),
    async duplicate(id) {
      await session.flush()
      return context
        .writing((files) => files.duplicate(id, (record) => ({ ...record, title: copyTitle(record.title), changedAtMs: context.nowMs() })))
        .then(
          (copy) => {
            context.announce()
            return copy?.id
          },
          () => undefined,
        )
    },
    remove(id) {
      context.sweepLater()
      return change(id, (files) => files.change(id, (record) => ({ ...record, deletedAtMs: context.nowMs() })))
    },
    async exportFile(id) {
      await session.flush()
      const files = await context.reading()
      const record = await files.find(id)
      if (record === undefined || !isOwn(record)) return undefined
      const sound = await files.readSound(record)
      const { createPortableProject } = await import('./portable-project.ts')
      return sound && { name: projectFileName(record.title), blob: createPortableProject(record, sound, await files.readCover(record)) }
    },
    async importFile(file) {
      const { readPortableProject } = await import('./portable-project.ts')
      const project = await readPortableProject(file)
      if (typeof project === 'string') return { kind: project }
      try {
        const { id } = await context.writing((files) => files.create({ ...project, owner: context.ownerId, changedAtMs: context.nowMs() }))
        context.announce()
        return { kind: 'added', id }
      } catch (error) {
        return { kind: isOutOfSpaceError(error) ? 'no-room' : 'no-storage' }
      }
    },
    restore: (id) => change(id, (files) => files.change(id, ({ deletedAtMs: _, ...record }) => record)),
  }
}

async function summaryOf(record: ProjectRecord, files: ProjectFiles): Promise<ProjectSummary> {
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
