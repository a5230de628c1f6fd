import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CONVERSION_MAX_MS, conversionFilePath } from './files.ts'
import type { ConversionJob } from './job.ts'
import { PROCESSOR_SECONDS_MAX, spawnIdle } from './process.ts'
import type { Conversion } from './store.ts'

/** The maximum size of a conversion's JavaScript heap in MiB. */
const HEAP_MIB = 256

/** The paths of the built `server/conversion/main.ts` and of the compiled DSP kernel. */
export interface ConversionProgram {
  file: string
  kernelFile: string
}

interface RunnerDeps {
  /** The program that converts songs. If it is undefined, no conversion can run. */
  program: ConversionProgram | undefined
  /** The path of ffmpeg, if it is installed. */
  ffmpeg: Promise<string | undefined>
  /** The folder that contains the uploads and the converted files. */
  dir: string
}

interface RunningConversion {
  child: ChildProcess
  progress: number
}

/**
 * Reads the output of a conversion's process until it ends, and stores the reported progress in `running`. Returns the last other line, which is
 * the outcome.
 */
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
    /** Converts a song. Resolves with `done` or the code of the failure. */
    async run({ id, demuxer, rate, format }: Conversion): Promise<string> {
      const ffmpegFile = await ffmpeg
      if (program === undefined || ffmpegFile === undefined || isClosed) return 'failed'
      // Each attempt uses new file names, because the conversion process of a crashed server may still be writing to the old files.
      const attempt = join(dir, `${id}.${randomBytes(6).toString('hex')}`)
      const job: ConversionJob = {
        ffmpeg: ffmpegFile,
        kernelFile: program.kernelFile,
        inputFile: conversionFilePath(dir, id, 'in'),
        outputFile: `${attempt}-out`,
        samplesFile: `${attempt}-samples`,
        preparedFile: `${attempt}-prepared`,
        demuxer,
        rate,
        format,
      }
      const child = spawnIdle(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program.file, JSON.stringify(job)], {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'ignore'],
        limits: { processorSeconds: PROCESSOR_SECONDS_MAX },
      })
      const running = { child, progress: 0 }
      runningById.set(id, running)
      const timer = setTimeout(() => child.kill('SIGKILL'), CONVERSION_MAX_MS)
      try {
        const outcome = await readOutput(running)
        if (outcome === 'done') await rename(job.outputFile, conversionFilePath(dir, id, 'out'))
        return outcome
      } finally {
        clearTimeout(timer)
        runningById.delete(id)
        await Promise.all([job.outputFile, job.samplesFile, job.preparedFile].map((file) => rm(file, { force: true })))
      }
    },

    /** Returns the progress of a running conversion, from 0 to 1. */
    progressOf: (id: string): number => runningById.get(id)?.progress ?? 0,

    /** Ends the process of a conversion. Returns false if the conversion is not running. */
    stop: (id: string): boolean => runningById.get(id)?.child.kill('SIGKILL') !== undefined,

    /** Ends all processes and starts no further one. */
    close(): void {
      isClosed = true
      for (const { child } of runningById.values()) child.kill('SIGKILL')
    },
  }
}
