import { createLog } from '../../log.ts'
import { openStorage } from '../../storage/open.ts'
import { createMailer } from '../mailer.ts'

// Sends the mails in the queue until the process is killed.
const [, , dataDir = '', smtpUrl = ''] = process.argv
const { mails } = await openStorage({ dataDir })
const mailFrom = 'no-reply@example.org'
createMailer({ config: { smtpUrl, mailFrom, dataDir }, mails, nowMs: Date.now, log: createLog('fatal') })
setInterval(() => {}, 60_000)
