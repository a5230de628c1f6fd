import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Creates a self-signed certificate for `hosts`. Returns it and its key, both as PEM. */
export async function createCertificate(hosts: readonly string[]): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-certificate-'))
  try {
    const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', `/CN=${hosts[0]}`, '-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join()}`]
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...[...subject, '-keyout', keyPath, '-out', certPath],
    ])
    return { key: await readFile(keyPath), cert: await readFile(certPath) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
