import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Returns the absolute path of ffmpeg; `undefined` if it is not installed. */
export async function findFfmpeg(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, 'ffmpeg')
    if (
      folder.startsWith('/') &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return file
  }
  return undefined
}
