import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { findMailLink } from './mailbox.ts'

/** Waits for a file with a mail to `email` in the folder of undelivered mails. Returns the mail's link to `urlPath`. */
export async function waitForOutboxLink(dataDir: string, email: string, urlPath: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  let link: string | undefined
  await expect
    .poll(async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!name.endsWith('.eml')) continue
        const mail = await readFile(join(folder, name), 'utf8')
        if (mail.includes(`To: ${email}`)) link = findMailLink(mail, urlPath)
      }
      return link
    }, `a mail to ${email} with a link to ${urlPath}`)
    .toBeDefined()
  return link ?? ''
}
