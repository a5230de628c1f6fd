import { resolve } from 'node:path'
import { parseVideoId } from '../../contract/youtube.ts'
import { defineStandaloneCommand, toPrintable, UsageError } from '../admin/command.ts'
import { runDoctor } from './doctor.ts'
import { writeRecordings } from './recording.ts'

/** 'Me at the zoo', the first video of YouTube. */
const DEFAULT_VIDEO_ID = 'jNQXAC9IVRw'

export const doctorCommand = defineStandaloneCommand({
  words: 'doctor',
  summary: 'Tries what only the real services can show, and says how to mend what is wrong. The exit code is 1 if something is wrong.',
  details: [
    'It needs a network. It reads YouTube, Discord, Stripe, DNS and certificates, logs in at the mail server, and requests pages of the site itself.',
    'With STRIPE_API_KEY, a restricted key that may read webhook endpoints, the registration at Stripe is checked.',
  ].join('\n'),
  options: {
    video: { value: 'ID', help: 'the id or a URL of a video of the catalogue that is read' },
    mail: { value: 'ADDRESS', help: 'send a mail to this address' },
    record: { value: 'DIR', help: 'write the form of the answers, without secrets, to files of this folder' },
  },
  run: async ({ video = DEFAULT_VIDEO_ID, mail, record }, { config }) => {
    const videoId = parseVideoId(video)
    if (videoId === undefined) throw new UsageError(`'${toPrintable(video)}' is neither a video id nor a URL of a video`)
    if (mail !== undefined && !/^[^\s<>@,;]+@[^\s<>@,;]+$/.test(mail))
      throw new UsageError(`--mail must be an address, not '${toPrintable(mail)}'`)
    const { findings, recordings } = await runDoctor({ config, videoId, mailTo: mail })
    if (record !== undefined) await writeRecordings(resolve(record), recordings)
    const findingLines = findings.map(({ check, status, text, mend }) =>
      [`${status.padEnd(20)}  ${check}: ${toPrintable(text)}`, ...(mend === undefined ? [] : [`${' '.repeat(22)}${mend}`])].join('\n'),
    )
    const failed = findings.some(({ status }) => status === 'wrong' || status === 'could not be reached')
    return { text: findingLines.join('\n'), data: { findings }, failed }
  },
})
