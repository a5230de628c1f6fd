import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CONVERSION_MAX_MS, conversionFile } from './files.ts'
import type { ConversionJob } from './job.ts'
import { PROCESSOR_SECONDS, spawnIdle } from './process.ts'
import type { Conversion } from './store.ts'

/** The memory of the JavaScript heap of a conversion, in MiB. */
const HEAP_MIB = 256

/** The files of the built `server/conversion/main.ts` and of the compiled kernel of the sound. */
export interface ConversionProgram {
  file: string
  kernelFile: string
}

interface RunnerDeps {
  /** Without it nothing is converted. */
  program: ConversionProgram | undefined
  /** The path of ffmpeg, if it is installed. */
  ffmpeg: Promise<string | undefined>
  /** The folder of the uploads and the converted files. */
  dir: string
}

interface RunningConversion {
  child: ChildProcess
  progress: number
}

/** Reads the output of a conversion to its end: its progress into `running`. Returns the last line that states no progress: the outcome. */
async function readOutput(running: RunningConversion): Promise<string> {
  const { child } = running
  let lastLine = 'failed'
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  if (child.stdout !== null) {
    for await (const line of createInterface({ input: child.stdout })) {
      const progress = /^progress ([\d.]+)$/.exec(line)?.[1]
      if (progress === undefined) lastLine = line
      else running.progress = Number(progress)
    }
  }
  await ended
  return lastLine
}

/** Runs each conversion in a process of its own. */
export function createConversionRunner({ program, ffmpeg, dir }: RunnerDeps) {
  const runningById = new Map<string, RunningConversion>()
  let isClosed = false
  return {
    /** Converts a song. Returns the outcome: `done`, or the code of a failure. */
    async run({ id, demuxer, rate, format }: Conversion): Promise<string> {
      const ffmpegFile = await ffmpeg
      if (program === undefined || ffmpegFile === undefined || isClosed) return 'failed'
      // Each attempt has file names of its own, because the process of a server that crashed may still be writing.
      const attempt = join(dir, `${id}.${randomBytes(6).toString('hex')}`)
      const job: ConversionJob = {
        ffmpeg: ffmpegFile,
        kernelFile: program.kernelFile,
        inputFile: conversionFile(dir, id, 'in'),
        outputFile: `${attempt}-out`,
        samplesFile: `${attempt}-samples`,
        demuxer,
        rate,
        format,
      }
      const child = spawnIdle(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program.file, JSON.stringify(job)], {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'ignore'],
        limits: { processorSeconds: PROCESSOR_SECONDS },
      })
      const running = { child, progress: 0 }
      runningById.set(id, running)
      const timer = setTimeout(() => child.kill('SIGKILL'), CONVERSION_MAX_MS)
      try {
        const outcome = await readOutput(running)
        if (outcome === 'done') await rename(job.outputFile, conversionFile(dir, id, 'out'))
        return outcome
      } finally {
        clearTimeout(timer)
        runningById.delete(id)
        await Promise.all([job.outputFile, job.samplesFile].map((file) => rm(file, { force: true })))
      }
    },

    /** The progress of a conversion that runs, from 0 to 1. */
    progressOf: (id: string): number => runningById.get(id)?.progress ?? 0,

    /** Ends the process of a conversion. Returns false if it does not run. */
    stop: (id: string): boolean => runningById.get(id)?.child.kill('SIGKILL') !== undefined,

    /** Ends all processes and starts no further one. */
    close(): void {
      isClosed = true
      for (const { child } of runningById.values()) child.kill('SIGKILL')
    },
  }
}
