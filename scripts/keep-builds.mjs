import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Pages that were opened with one of this many builds find all their files. */
const KEPT_BUILDS = 3

/**
 * Puts a finished build of the client in place of the one before it, in an instant: a server that runs misses nothing. The
 * hashed files of earlier builds stay beside the new ones, for pages that were opened with them and have no service
 * worker. `recordPath` says which files are of which build.
 *
 * @param {string} next the folder of the new build @param {string} current where builds are served from
 * @param {string} recordPath
 */
export function replaceBuild(next, current, recordPath) {
  const own = filesBelow(next, 'assets')
  const kept = [own, ...readRecord(recordPath).filter((build) => !isSame(build, own))].slice(0, KEPT_BUILDS)
  for (const file of new Set(kept.flat())) {
    const [from, to] = [join(current, file), join(next, file)]
    if (existsSync(to) || !existsSync(from)) continue
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
  }
  const old = `${current}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(current)) renameSync(current, old)
  renameSync(next, current)
  rmSync(old, { recursive: true, force: true })
  writeFileSync(recordPath, JSON.stringify(kept))
}

/** @param {readonly string[]} one @param {readonly string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((file, index) => file === other[index])

/** @param {string} folder @param {string} below @returns {string[]} paths from `folder`, sorted */
function filesBelow(folder, below) {
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(folder, `${below}/${entry.name}`) : [`${below}/${entry.name}`]))
    .sort()
}

/** @param {string} path @returns {string[][]} the files of each build, the newest first */
function readRecord(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
