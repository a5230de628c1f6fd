import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { withInstaller } from '../e2e/installed-app.ts'

const size = { width: 1120, height: 800 }

interface Screen {
  display: string
  picture(): Promise<Sharp>
  close(): Promise<void>
}

/** A screen that nobody sees; nothing where the machine has no Xvfb. */
async function openScreen(): Promise<Screen | undefined> {
  const path = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'Xvfb'))
  const program = path.find((each) => existsSync(each))
  if (program === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-screen-'))
  const server = spawn(
    program,
    ['-displayfd', '3', '-fbdir', folder, '-nolisten', 'tcp', '-screen', '0', `${size.width}x${size.height}x24`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const numbers = server.stdio[3]
  if (!numbers) throw new Error('Xvfb tells no display')
  const [number] = await once(numbers, 'data')
  return {
    display: `:${String(number).trim()}`,
    picture: async () => fromXwd(await readFile(join(folder, 'Xvfb_screen0'))),
    async close() {
      server.kill()
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The X window dump that Xvfb keeps its screen in: a header of 32-bit words, colours of 12 bytes, then the pixels as BGRX. */
function fromXwd(dump: Buffer): Sharp {
  const word = (index: number) => dump.readUInt32BE(index * 4)
  const [headerBytes, width, height, rowBytes, colours] = [word(0), word(4), word(5), word(12), word(19)]
  const start = headerBytes + colours * 12
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = start + y * rowBytes + x * 4
      const to = (y * width + x) * 3
      pixels[to] = dump[from + 2] ?? 0
      pixels[to + 1] = dump[from + 1] ?? 0
      pixels[to + 2] = dump[from] ?? 0
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

async function untilShown(app: Page) {
  await app.getByRole('heading', { level: 1 }).first().waitFor()
  await app.waitForLoadState('networkidle')
  await app.waitForTimeout(1_500)
}

/** Installs the site as a person does and takes a picture of the app's own window; of its page alone where there is no Xvfb. */
export async function takeInstalledWindow(origin: string, file: string): Promise<void> {
  const screen = await openScreen()
  try {
    await withInstaller(
      origin,
      async ({ install }) => {
        const app = await install()
        await untilShown(app)
        if (!(await app.evaluate(() => matchMedia('(display-mode: standalone)').matches))) throw new Error('It opened in a tab')
        if (screen) await (await screen.picture()).png().toFile(file)
        else await app.screenshot({ path: file })
      },
      screen ? { headed: { display: screen.display, size } } : {},
    )
  } finally {
    await screen?.close()
  }
}
