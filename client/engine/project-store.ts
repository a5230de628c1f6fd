import type { LoopRange, MakerSettings, SoundFile } from './engine.ts'

/** What one works on, kept on this device. */
export interface Project {
  readonly file: SoundFile
  readonly settings: MakerSettings
  readonly loop: LoopRange | undefined
}

export interface ProjectStore {
  read(): Promise<Project | undefined>
  /** A new file, with what belongs to it. */
  write(project: Project): Promise<void>
  /** What changed of the one that is kept. */
  update(changes: Pick<Project, 'settings' | 'loop'>): Promise<void>
  clear(): Promise<void>
  dispose(): void
}

/** Until the page is left. */
export function createProjectStore(): ProjectStore {
  let kept: Project | undefined
  return {
    read: async () => kept,
    async write(project) {
      kept = project
    },
    async update(changes) {
      if (kept !== undefined) kept = { ...kept, ...changes }
    },
    async clear() {
      kept = undefined
    },
    dispose() {},
  }
}
