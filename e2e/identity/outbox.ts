import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { linkIn } from './mailbox.ts'

/** The link to `path` in a mail to `email`, of a site that writes its mails to files, once it is there. */
export async function linkInOutbox(dataDir: string, email: string, path: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  let link: string | undefined
  await expect
    .poll(async () => {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!name.endsWith('.eml')) continue
        const mail = await readFile(join(folder, name), 'utf8')
        if (mail.includes(`To: ${email}`)) link = linkIn(mail, path)
      }
      return link
    }, `a mail to ${email} with a link to ${path}`)
    .toBeDefined()
  return link ?? ''
}
