import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findUnknownVariables, readConfig } from './config.ts'
import { createVapidPrivateKey } from './push/web-push.ts'

describe('readConfig', () => {
  it('every setting has a default', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, demo: true, apiBaseUrl: '/api', logLevel: 'info', trustProxy: [] })
    expect(config.siteHosts).toEqual(['localhost', 'slowedreverb.localhost', '127.0.0.1'])
    expect(config.publicOrigin.href).toBe('http://localhost:8080/')
    expect(config.databaseUrl).toBeUndefined()
  })

  it('Firebase needs all of its settings or none', () => {
    const allVariables = {
      FIREBASE_API_KEY: 'AIzaSyExampleExample',
      FIREBASE_PROJECT_ID: 'demo-site',
      FIREBASE_AUTH_DOMAIN: 'demo.example.org',
    }
    expect(readConfig(allVariables).firebase).toEqual({
      apiKey: 'AIzaSyExampleExample',
      projectId: 'demo-site',
      authDomain: 'demo.example.org',
    })
    expect(readConfig({}).firebase).toBeUndefined()
    expect(() => readConfig({ ...allVariables, FIREBASE_PROJECT_ID: '' })).toThrow(/^FIREBASE_PROJECT_ID must be set/)
    expect(() => readConfig({ ...allVariables, FIREBASE_PROJECT_ID: 'x/y' })).toThrow(/^FIREBASE_PROJECT_ID must be the id/)
  })

  it('files are stored in the data folder by default, or in a bucket, which requires an access key', () => {
    expect(readConfig({ FILE_STORE_KEY_ID: 'id' }).s3).toBeUndefined()
    const settings = { FILE_STORE: 's3://bucket', FILE_STORE_KEY_ID: 'id', FILE_STORE_SECRET: 'hunter2' }
    const accessKeys = { accessKeyId: 'id', secretAccessKey: 'hunter2' }
    const amazonFileStore = { bucket: 'bucket', prefix: '', endpoint: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1' }
    expect(readConfig(settings).s3).toEqual({ ...amazonFileStore, ...accessKeys })
    const otherEnvironment = { FILE_STORE: 's3://bucket/a/b/', FILE_STORE_ENDPOINT: 'http://127.0.0.1:9000/', FILE_STORE_REGION: 'garage' }
    expect(readConfig({ ...settings, ...otherEnvironment }).s3).toEqual({
      ...{ bucket: 'bucket', prefix: 'a/b/', endpoint: 'http://127.0.0.1:9000', region: 'garage' },
      ...accessKeys,
    })
    expect(() => readConfig({ ...settings, FILE_STORE_SECRET: '' })).toThrow(/^FILE_STORE_SECRET must be set/)
    expect(() => readConfig({ ...settings, FILE_STORE_KEY_ID: '' })).toThrow(/^FILE_STORE_KEY_ID must be set/)
    expect(() => readConfig({ ...settings, FILE_STORE_ENDPOINT: 'minio:9000' })).toThrow(/^FILE_STORE_ENDPOINT must be/)
    expect(() => readConfig({ ...settings, FILE_STORE_REGION: 'a b' })).toThrow(/^FILE_STORE_REGION must be/)
  })

  it('metrics are off by default, and have an address of their own', () => {
    expect(readConfig({}).metrics).toBeUndefined()
    expect(readConfig({ METRICS: 'off' }).metrics).toBeUndefined()
    expect(readConfig({ METRICS: '127.0.0.1:9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    expect(readConfig({ METRICS: '[::1]:9464' }).metrics).toEqual({ host: '::1', port: 9464 })
    for (const text of ['on', '9464', ':9464', '127.0.0.1', '127.0.0.1:70000', 'http://127.0.0.1:9464'])
      expect(() => readConfig({ METRICS: text }), text).toThrow(/^METRICS must be off, or an address/)
  })

  it('backups are off by default, and have a time of day, a folder and a number of retained backups', () => {
    expect(readConfig({}).backup).toBeUndefined()
    expect(readConfig({ DATA_DIR: '/data', BACKUP_AT: '03:30' }).backup).toEqual({ atMinutes: 210, dir: '/data/backups', kept: 7 })
    const settings = { BACKUP_AT: '23:59', BACKUP_DIR: '/backups', BACKUP_KEEP: '30' }
    expect(readConfig(settings).backup).toEqual({ atMinutes: 1439, dir: '/backups', kept: 30 })
    for (const text of ['on', '3:30', '24:00', '03:60', '0330'])
      expect(() => readConfig({ BACKUP_AT: text }), text).toThrow(/^BACKUP_AT must be off, or/)
    expect(() => readConfig({ BACKUP_KEEP: '0' })).toThrow(/^BACKUP_KEEP must be a whole number/)
  })

  it('pushes require a key that `admin push key` has made; no error message repeats the key', () => {
    expect(readConfig({}).vapidKey).toBeUndefined()
    expect(readConfig({ VAPID_PRIVATE_KEY: createVapidPrivateKey() }).vapidKey?.publicKey).toMatch(/^B[\w-]{86}$/)
    for (const key of ['secret', 'A'.repeat(43), '_'.repeat(43)])
      expect(() => readConfig({ VAPID_PRIVATE_KEY: key }), key).toThrow('VAPID_PRIVATE_KEY must be a key that `admin push key` has made')
  })

  it('Discord needs both credentials or none; the base of its API is accepted with and without its path', () => {
    const allVariables = { DISCORD_CLIENT_ID: '1234567890', DISCORD_CLIENT_SECRET: 'hunter2' }
    expect(readConfig(allVariables).discord).toEqual({ clientId: '1234567890', clientSecret: 'hunter2', apiBase: 'https://discord.com' })
    expect(readConfig({ DISCORD_API_BASE: 'http://127.0.0.1:9' }).discord).toBeUndefined()
    for (const apiBase of ['http://127.0.0.1:9', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/api', 'http://127.0.0.1:9/api/v10/'])
      expect(readConfig({ ...allVariables, DISCORD_API_BASE: apiBase }).discord?.apiBase).toBe('http://127.0.0.1:9')
    expect(() => readConfig({ ...allVariables, DISCORD_CLIENT_ID: '' })).toThrow(/^DISCORD_CLIENT_ID must be set/)
    expect(() => readConfig({ ...allVariables, DISCORD_CLIENT_SECRET: ' ' })).toThrow(/^DISCORD_CLIENT_SECRET must be set/)
  })

  it('an empty value counts as not set', () => {
    expect(readConfig({ PORT: '', SITE_HOSTS: ' ', DEMO: '' })).toMatchObject({ port: 8080, demo: true })
  })

  it('all private networks can be trusted as proxies, however large', () => {
    const ranges = ['10.0.0.0/8', 'fc00::/7', '::ffff:10.0.0.0/104', 'loopback', '::1', '192.168.1.1']
    expect(readConfig({ TRUST_PROXY: ranges.join() }).trustProxy).toEqual(ranges)
  })

  it('all settings are read', () => {
    const config = readConfig({
      PORT: '0',
      SITE_HOSTS: 'Example.org, slowedreverb.example.org',
      PUBLIC_ORIGIN: 'https://example.org',
      API_BASE_URL: 'https://api.example.org/v1/',
      TRUST_PROXY: '10.0.0.0/8,::1',
      DEMO: 'off',
    })
    expect(config).toMatchObject({ port: 0, demo: false, apiBaseUrl: 'https://api.example.org/v1', trustProxy: ['10.0.0.0/8', '::1'] })
    expect(config.siteHosts).toEqual(['example.org', 'slowedreverb.example.org'])
  })

  it('the program reads exactly the variables that the table in README.md lists', () => {
    const requestedNames = new Set<string>()
    readConfig(
      new Proxy<Record<string, string>>(
        {},
        { get: (_environment, name) => (typeof name === 'string' ? void requestedNames.add(name) : undefined) },
      ),
    )
    const readmeText = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const readmeRows = readmeText.split('\n').filter((line) => /^\| `[A-Z_]+`/.test(line))
    const documentedNames = readmeRows.flatMap((row) => (row.split('|')[1] ?? '').match(/[A-Z_]+/g) ?? [])
    expect(documentedNames.sort()).toEqual([...requestedNames].sort())
  })

  it.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://user:hunter2@host/db'],
    ['FILE_STORE', 'https://bucket.example.org'],
    ['FILE_STORE', 's3://Bucket'],
    ['FILE_STORE', 's3://bucket/path?'],
    ['FILE_STORE', 's3://user:hunter2@bucket/a b'],
    ['SITE_HOSTS', 'example.org:80'],
    ['SITE_HOSTS', 'a b'],
    ['PUBLIC_ORIGIN', 'example.org'],
    ['PUBLIC_ORIGIN', 'https://example.org/path'],
    ['API_BASE_URL', 'javascript:alert(1)'],
    ['API_BASE_URL', "https://api.example.org'; script-src *"],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'everyone!'],
    ['TRUST_PROXY', '999.1.1.1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '127.0.0.1, 128.0.0.0/1'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '2000::/3'],
    ['TRUST_PROXY', '::ffff:0:0/96'],
    ['TRUST_PROXY', '::/64'],
    ['TRUST_PROXY', '::ffff:128.0.0.0/99'],
    ['DEMO', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT_CONTACT', '0'],
    ['RATE_LIMIT_CONVERSIONS', '-1'],
    ['RATE_LIMIT_WRITES', '0'],
    ['RATE_LIMIT_LOGIN', 'many'],
    ['FIREBASE_API_KEY', 'AIzaSyExampleExample'],
    ['STRIPE_API_KEY', 'hunter2hunter2'],
    ['SMTP_URL', 'http://user:hunter2@host'],
    ['MAIL_FROM', 'nobody'],
    ['DISCORD_API_BASE', 'discord.com'],
    ['YOUTUBE_API_KEY', 'a key'],
    ['YOUTUBE_API_BASE', 'www.googleapis.com'],
    ['DISCORD_CLIENT_SECRET', 'hunter2'],
    ['TOKEN_SYNC_URL', 'ftp://example.org'],
    ['TOKEN_SYNC_URL', "https://example.org/'; script-src *"],
  ])('%s=%s is refused with a message of one line that names the setting', (settingName, settingValue) => {
    const readWithValue = () => readConfig({ [settingName]: settingValue })
    expect(readWithValue).toThrow(settingName)
    expect(readWithValue).not.toThrow('\n')
    expect(readWithValue).not.toThrow('hunter2')
  })
})

it("environment variables that look like the server's, but that the server does not read, are found", () => {
  const testEnvironment = {
    SMTP_URI: 'x',
    PUBLIC_URL: 'x',
    DATADIR: 'x',
    RATE_LIMIT_LOGINS: '1',
    PORT: '80',
    PATH: '/bin',
    HOME: '/root',
    SMTP_URL: '',
    METRICS_PORT: '9464',
    DEMO_CATALOGUE: 'off',
    VARISPEED_DATA_DIR: '/srv',
    METRICS: 'off',
    DEMO: 'off',
  }
  expect(findUnknownVariables(testEnvironment)).toEqual([
    ...['SMTP_URI', 'PUBLIC_URL', 'DATADIR', 'RATE_LIMIT_LOGINS'],
    ...['METRICS_PORT', 'DEMO_CATALOGUE', 'VARISPEED_DATA_DIR'],
  ])
})
