/** A complete gateway.yaml that tests corrupt; they expect fixed line numbers. */
export const goodConfig = `listen: { host: 127.0.0.1, port: 0 }
store: { data_dir: /tmp/data }
key_pepper: "a long pepper"
accounts:
  - id: acc
    users: [{ id: u1 }]
    apps: [{ id: a1 }]
    keys:
      - id: k1
        user: u1
        app: a1
        secret: sk-app-12345678
        expires_at: 2027-01-01T00:00:00Z
        allow: ['10.0.0.0/8']
channels:
  - id: c1
    dialect: chat-completions
    base_url: http://127.0.0.1:1/v1/
    api_key: up
    models: { alpha-5-2: native }
`;
