import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { CommandError } from '../command.ts'

const MembersProgress = Type.Object({
  /** The publication date of the newest upload that was read, by channel. */
  newestUploads: Type.Record(Type.String(), Type.String()),
  /** The playlists to which a video was added, by video, so that a song which was taken out again stays out. */
  submissions: Type.Record(Type.String(), Type.Array(Type.String())),
})
export type MembersProgress = Static<typeof MembersProgress>

const progressCheck = Compile(MembersProgress)
const pathIn = (dataDir: string) => join(dataDir, 'youtube-members.json')

/** Reads what earlier imports have done. @throws CommandError if the file is damaged */
export async function readMembersProgress(dataDir: string): Promise<MembersProgress> {
  const path = pathIn(dataDir)
  try {
    const progress: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (progressCheck.Check(progress)) return progress
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { newestUploads: {}, submissions: {} }
  }
  throw new CommandError(`${path} is damaged: remove it to read all uploads anew`)
}

/** Replaces the file as a whole, so that an interrupted write damages nothing. */
export async function writeMembersProgress(dataDir: string, progress: MembersProgress): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = pathIn(dataDir)
  await writeFile(`${path}.new`, JSON.stringify(progress))
  await rename(`${path}.new`, path)
}
