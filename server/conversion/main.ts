import { isDiskFull } from '../disk-space.ts'
import { convert } from './convert.ts'
import type { ConversionJob } from './job.ts'

// The process of one conversion. It writes lines: `progress 0.5`, then `done` or the code of a failure.

// The cast is safe, because the server writes the argument.
const conversionJob = JSON.parse(process.argv[2] ?? '') as ConversionJob
const printLine = (line: string) => process.stdout.write(`${line}\n`)
/** Exits explicitly, because after a failure ffmpeg may still be waiting for samples, which would keep the process running. */
const printAndExit = (line: string) => process.stdout.write(`${line}\n`, () => process.exit())
convert(conversionJob, (progress) => printLine(`progress ${progress.toFixed(3)}`)).then(printAndExit, (error) =>
  printAndExit(isDiskFull(error) ? 'no-room' : 'failed'),
)
