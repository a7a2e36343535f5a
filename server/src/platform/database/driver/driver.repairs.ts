/** A passage of postgres.js's `connection.js`, its defect, and the corrected text. */
export type Repair = { flaw: string; text: string; repaired: string };

/**
 * Defects of postgres.js 3.4.9 when a connection breaks or a statement fails; each was observed, and `driver.test.ts`
 * shows it. Remove them with the release that fixes them. When to change the driver: docs/internals/decisions.md, 9.
 */
export const REPAIRS: readonly Repair[] = [
  {
    flaw: 'writing to a connection that is closed ends the process (porsager/postgres, issues 1154 and 1208)',
    text: '    const x = socket.write(chunk, fn)\n',
    repaired: `    if (!socket) {
      const lost = Errors.connection('CONNECTION_CLOSED', options)
      query && queryError(query, lost)
      query = chunk = nextWriteTimer = null
      while (sent.length)
        queryError(sent.shift(), lost)
      return true
    }
    const x = socket.write(chunk, fn)
`,
  },
  {
    flaw: 'what was not written yet is sent on the next connection, ahead of its login, or keeps it from writing at all',
    text: "    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
    repaired:
      "    chunk = nextWriteTimer = null\n    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
  },
  {
    flaw: 'a connection that is closed while it logs in is tried again at once and for ever, on one host or on several',
    text: '    if (initial)\n      return reconnect()\n',
    repaired: `    if (initial && ++tried < options.host.length) {
      query = results = errorResponse = null
      result = new Result()
      rows = 0
      return reconnect()
    }
    tried = 0
    if (initial)
      errored(failure || Errors.connection('CONNECTION_CLOSED', options))
    failure = null
`,
  },
  {
    flaw: 'the same: how many hosts were tried is never counted',
    text: '    if (connection.queue === queues.connecting && options.host[retries + 1])\n      return\n',
    repaired: `    if (initial && tried + 1 < options.host.length) {
      failure = err
      return
    }
`,
  },
  {
    flaw: 'the same: a host that does not answer at all is never passed over',
    text: "    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))\n",
    repaired: "    error(Errors.connection('CONNECT_TIMEOUT', options, socket))\n",
  },
  {
    flaw: 'TLS is begun with a server that has said it has none: what follows is an error of the TLS library',
    text: "      if (!canSSL && ssl === 'prefer')\n        return connected()\n",
    repaired: `      if (!canSSL && ssl === 'prefer')
        return connected()
      if (!canSSL) {
        error(Errors.generic('TLS_NOT_OFFERED', 'the server offers no TLS, which sslmode asks for'))
        return socket.destroy()
      }
`,
  },
  {
    flaw: 'the certificate of a server that is named by its IP address is compared with the name localhost',
    text: '      servername: net.isIP(socket.host) ? undefined : socket.host\n',
    repaired: '      host: socket.host,\n      servername: net.isIP(socket.host) ? undefined : socket.host\n',
  },
  {
    flaw: 'errors of TLS can be told from faults of the program by nothing',
    text: "    socket.on('secureConnect', connected)\n    socket.on('error', error)\n",
    repaired: `    socket.on('secureConnect', connected)
    socket.on('error', err => {
      if ('syscall' in err || err.code === 'EPIPE')
        return error(err)
      const reason = (err.reason || err.message).split('; ')[0].trim()
      error(Object.assign(Errors.generic('TLS_FAILED', 'the TLS handshake failed: ' + reason), { cause: err }))
    })
`,
  },
  {
    flaw: 'a statement on a connection that its server has ended, before it is closed, fails with an error that names no system call',
    text: '  function error(err) {\n',
    repaired: `  function error(err) {
    if (err.code === 'EPIPE')
      err = Object.assign(Errors.connection('CONNECTION_CLOSED', options, socket), { cause: err })
`,
  },
  {
    flaw: 'the next connection begins with the rows and the error of the one that broke',
    text: '    closedTime = performance.now()\n',
    repaired: `    query = results = errorResponse = final = null
    result = new Result()
    rows = 0
    closedTime = performance.now()
`,
  },
  {
    flaw: 'a BEGIN that fills the pipeline of its connection does not reserve it: others then write into that transaction',
    text: `        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))
`,
    repaired: `        && sent.length < max_pipeline
        && !q.options.onexecute
        || (q.options.onexecute && q.options.onexecute(connection))
`,
  },
  {
    flaw: 'after a statement that failed behind its first rows, the rows of the next one begin with as many holes',
    text: '    query = results = errorResponse = null\n    result = new Result()\n    connectTimer.cancel()\n',
    repaired:
      '    query = results = errorResponse = null\n    result = new Result()\n    rows = 0\n    connectTimer.cancel()\n',
  },
  {
    flaw: "a statement whose values can't be written fails the one ahead of it, and takes the answer of the one behind it",
    text: '      sent.length === 0 && write(Sync)\n      errored(error)\n      return true\n',
    repaired: `      if (q !== query) {
        sent.remove(q)
        queryError(q, error)
        return true
      }
      sent.length === 0 && write(Sync)
      errored(error)
      return true
`,
  },
  {
    flaw: 'a statement that is canceled while it waits in the pipeline leaves its answer to the one behind it',
    text: `    while (sent.length && (query = sent.shift()) && (query.active = true, query.cancelled))
      Connection(options).cancel(query.state, query.cancelled.resolve, query.cancelled.reject)
`,
    repaired: `    if (sent.length) {
      query = sent.shift()
      query.active = true
      query.cancelled && Connection(options).cancel(query.state, query.cancelled.resolve, query.cancelled.reject)
    }
`,
  },
  {
    flaw: 'a statement that is canceled before its connection is open leaves that connection to nobody',
    text: `      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return
    }
`,
    repaired: `      const first = initial
      options.shared.retries = retries = 0
      initial = null
      if (first && !first.reserve && !first.cancelled)
        return execute(first)
    }
`,
  },
  {
    flaw: 'a statement that is canceled before it is sent keeps a connection that waits for its answer for ever',
    text: '    if (q.cancelled)\n      return\n',
    repaired: '    if (q.cancelled)\n      return true\n',
  },
  {
    flaw: 'what is asked of a connection between its error and its end is left to the next one, as if it had been sent there',
    text: "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    repaired: "    if (query || sent.length)\n      error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
  },
  {
    flaw: 'a statement that is prepared anew after a change of its table writes its values twice: true becomes false, bytes their text',
    text: '      parameters[i] = x = type in options.serializers\n',
    repaired: '      x = type in options.serializers\n',
  },
  {
    flaw: 'between the halves of a statement that is prepared anew others are written, which then have its answer',
    text: '    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)\n',
    repaired: `    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared && !q.retried)
    if (q.retried)
      types.splice(0, types.length, ...q.statement.types)
`,
  },
];

/**
 * Extensions that postgres.js has no option for: each new connection is verified, and is closed if its server is
 * read-only; a transaction sends all of its statements at once.
 */
export const ADDITIONS: readonly Repair[] = [
  {
    flaw: 'nobody else waits for the connection of a transaction: it may have any number of statements in the pipeline',
    text: '        && sent.length < max_pipeline\n',
    repaired: '        && (connection.reserved || sent.length < max_pipeline)\n',
  },
  {
    flaw: 'its state',
    text: '    , final = null\n',
    repaired: '    , final = null\n    , steps = null\n    , judgement = null\n    , failure = null\n    , tried = 0\n',
  },
  {
    flaw: 'begun with each connection',
    text: '    terminated = false\n    backendParameters = {}\n',
    repaired: `    terminated = false
    backendParameters = {}
    steps = options.session ? [...options.session.begin()] : []
    judgement = null
`,
  },
  {
    flaw: 'asked and judged before the first statement; a host that will not do is passed over',
    text: '    if (initial) {\n      if (target_session_attrs) {\n',
    repaired: `    if (initial) {
      if (judgement && judgement.error)
        return refuse(judgement.error)
      if (steps.length)
        return ask(steps.shift())
      if (judgement && judgement.isReadOnly)
        retireSoon(socket)
      hostIndex = (hostIndex + port.length - 1) % port.length
      tried = 0
      if (target_session_attrs) {
`,
  },
  {
    flaw: 'how it is asked, refused and ended',
    text: '  async function fetchArrayTypes() {\n',
    repaired: `  function ask({ text, isSimple, judge }) {
    const question = new Query([text], [], execute, null, { simple: isSimple, prepare: !isSimple })
    question.resolve = answer => { judgement = judge(answer, !!question.retried) }
    question.reject = error => { judgement = { error } }
    execute(question)
  }

  function refuse(refusal) {
    if (tried + 1 < options.host.length)
      failure = refusal
    else
      errored(refusal)
    socket.removeListener('data', data)
    socket.end(b().X().end())
  }

  function retireSoon(current) {
    setTimeout(() => socket === current && end(), options.session.readOnlyLifetimeMs).unref()
  }

  async function fetchArrayTypes() {
`,
  },
  {
    flaw: 'a server that became read-only says so to each session',
    text: '    backendParameters[k] = v\n',
    repaired: `    backendParameters[k] = v
    if (!initial && v === 'on' && (k === 'default_transaction_read_only' || k === 'in_hot_standby'))
      end()
`,
  },
  {
    flaw: 'so does each refused write',
    text: '      errorResponse = Errors.postgres(parseError(x))\n',
    repaired: `      errorResponse = Errors.postgres(parseError(x))
      errorResponse.code === '25006' && !initial && options.session && end()
`,
  },
  {
    flaw: 'a host that lets nobody in yet is passed over',
    text: '    } else {\n      errored(Errors.postgres(parseError(x)))\n',
    repaired: '    } else {\n      error(Errors.postgres(parseError(x)))\n',
  },
];
