import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { findMailLink } from './mailbox.ts'

/** Waits for a file with a mail to `email` in the folder of undelivered mails. Returns the mail's link to `urlPath`. */
export async function waitForOutboxLink(dataDir: string, email: string, urlPath: string): Promise<string> {
  const outboxFolder = join(dataDir, 'outbox')
  let mailedLink: string | undefined
  await expect
    .poll(async () => {
      for (const fileName of await readdir(outboxFolder).catch(() => [])) {
        if (!fileName.endsWith('.eml')) continue
        const mail = await readFile(join(outboxFolder, fileName), 'utf8')
        if (mail.includes(`To: ${email}`)) mailedLink = findMailLink(mail, urlPath)
      }
      return mailedLink
    }, `a mail to ${email} with a link to ${urlPath}`)
    .toBeDefined()
  return mailedLink ?? ''
}
