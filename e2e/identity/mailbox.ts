import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'

/** An SMTP server for tests. It stores the mails that it receives. */
export interface Mailbox {
  /** The URL of the mailbox, for the setting `SMTP_URL`. */
  url: string
  /** Waits for the oldest unread mail to `email`. Returns its link to `path`. */
  waitForLink(email: string, path: string): Promise<string>
  /** Returns the texts of the unread mails to `email`. */
  readMails(email: string): string[]
  close(): Promise<void>
}

interface Mail {
  to: string[]
  text: string
}

/** @param requestedPort the port to listen on; by default a free one */
export async function openMailbox(requestedPort = 0): Promise<Mailbox> {
  const unreadMails: Mail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, onDone) {
      const mailChunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => mailChunks.push(chunk))
      stream.on('end', () => {
        unreadMails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(mailChunks).toString('utf8') })
        onDone()
      })
    },
  })
  await once(server.listen(requestedPort, '127.0.0.1'), 'listening')
  // The cast is safe, because a listening server has an address with a port.
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async waitForLink(email, urlPath) {
      let mailedLink: string | undefined
      await expect
        .poll(() => {
          const index = unreadMails.findIndex((mail) => mail.to.includes(email))
          if (index < 0) return undefined
          const [mail] = unreadMails.splice(index, 1)
          mailedLink = mail && findMailLink(mail.text, urlPath)
          return mailedLink
        }, `a mail to ${email} with a link to ${urlPath}`)
        .toBeDefined()
      return mailedLink ?? ''
    },
    readMails: (email) => unreadMails.filter(({ to }) => to.includes(email)).map(({ text }) => text),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns the first link to `urlPath` in a mail with quoted-printable encoding. */
export function findMailLink(mailText: string, urlPath: string): string | undefined {
  const words = mailText.replace(/=\r\n/g, '').replaceAll('=3D', '=').split(/\s+/)
  return words.find((word) => URL.canParse(word) && new URL(word).pathname === urlPath)
}
