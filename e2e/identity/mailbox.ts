import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'

/** A mail server of its own on this machine, which keeps what is handed over to it. */
export interface Mailbox {
  /** For `SMTP_URL`. */
  url: string
  /** The link to `path` in the oldest mail to `email` that was not read yet, once it has come. */
  linkFor(email: string, path: string): Promise<string>
  close(): Promise<void>
}

interface Mail {
  to: string[]
  text: string
}

export async function openMailbox(): Promise<Mailbox> {
  const unread: Mail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        unread.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Listening, so it has an address with a port.
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async linkFor(email, path) {
      let link: string | undefined
      await expect
        .poll(() => {
          const index = unread.findIndex((mail) => mail.to.includes(email))
          if (index < 0) return undefined
          const [mail] = unread.splice(index, 1)
          link = mail && linkIn(mail.text, path)
          return link
        }, `a mail to ${email} with a link to ${path}`)
        .toBeDefined()
      return link ?? ''
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The first link to `path` in a mail, whose long lines are folded, and the sign that folds them written out. */
export function linkIn(mail: string, path: string): string | undefined {
  const words = mail.replace(/=\r\n/g, '').replaceAll('=3D', '=').split(/\s+/)
  return words.find((word) => URL.canParse(word) && new URL(word).pathname === path)
}
